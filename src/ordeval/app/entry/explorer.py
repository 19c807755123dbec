"""What Streamlit runs.  It stands in a folder of its own because Streamlit puts that folder before all others in the search for modules."""

from ordeval.app.pages import explorer

explorer()
