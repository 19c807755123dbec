"""What Spark does otherwise than other engines."""

import pytest

import ordeval as oe


def test_spark_columns_with_dots_and_with_names_that_differ_by_case(spark):
    rows = spark.createDataFrame([("lo", "hi", "lo"), ("hi", "hi", "lo")], "`grade.1` string, p string, P string")
    assert oe.scan(rows, true="grade.1", pred="p", labels=["lo", "hi"]).matrix.tolist() == [[0, 1], [0, 1]]
    assert oe.scan(rows, true="grade.1", pred="P", labels=["lo", "hi"]).matrix.tolist() == [[1, 0], [1, 0]]


def test_spark_joins_a_table_with_a_part_of_itself_by_ids_of_another_type(spark):
    rows = spark.range(100).selectExpr("id", "id % 3 AS y", "id % 2 AS p", "id % 5 AS w")
    runs = rows.filter("id >= 10").selectExpr("CAST(id AS string) AS id", "p")
    counts = oe.scan(runs, gold=rows.drop("p"), id="id", true="y", pred="p", sample_weight="w", missing="unanswered")
    y, p, w = ([i % n for i in range(100)] for n in (3, 2, 5))
    assert counts == oe.count(y, [None] * 10 + p[10:], sample_weight=w, missing="unanswered")


def test_spark_fails_in_one_sentence(spark):
    rows = spark.range(100).selectExpr("id % 3 AS y", "IF(id = 77, raise_error('no luck'), id % 2) AS p")
    with pytest.raises(ValueError, match=r"^the engine of the pyspark table cannot run the query: .*no luck.*$"):
        oe.scan(rows, true="y", pred="p")
