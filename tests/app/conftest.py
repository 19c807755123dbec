from app_pages import shell  # noqa: F401 - a fixture
