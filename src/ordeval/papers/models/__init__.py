"""The papers' classifiers, as scikit-learn meta-estimators over any base classifier.

`FrankHall` asks one binary question for each cut between two neighbouring classes, `DataReplication` asks all of them of one
binary classifier.  Both take the order of the classes as everything here does: from integers, booleans and ordered
categories, else from ``labels=``.

Frank & Hall (2001). A simple approach to ordinal classification. ECML.  Cardoso & Pinto da Costa (2007). Learning to classify
ordinal data: the data replication method. Journal of Machine Learning Research 8.
"""

try:
    from ordeval.papers.models.frank_hall import FrankHall
    from ordeval.papers.models.replication import DataReplication
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] != "sklearn":
        raise
    raise ModuleNotFoundError(
        'the ordinal classifiers need scikit-learn; install it with  pip install "ordeval[sklearn]"', name="sklearn"
    ) from None

__all__ = ["DataReplication", "FrankHall"]
