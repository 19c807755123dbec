"""What Streamlit runs.  It stands in a folder of its own because Streamlit puts that folder before all others in the search for modules."""

from ordeval.app.pages import explorer

if __name__ == "__main__":  # processes of heavy work read this file, too
    explorer()
