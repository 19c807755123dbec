"""A PostgreSQL server of the tests' own."""

import os
import shutil
import subprocess
import tempfile
from functools import cached_property
from pathlib import Path

from processes import GUARD


def programs() -> Path | None:
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class PostgresServer:
    """A cluster in a folder of its own, reached through a socket in that folder.  It refuses to run as root, so root lends it to a user."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="ordeval-postgres-"))
        self.data = self.folder / "data"
        self.user = "postgres"
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(self.folder, "postgres")
        try:
            self._run("initdb", "--username", self.user, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
            self.start()
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    def _run(self, program: str, *options: str) -> None:
        command = [*self._as_user, str(self.programs / program), "--pgdata", str(self.data), *options]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=GUARD)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        settings = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off -c log_statement=all"
        log = str(self.folder / "log")
        command = [*self._as_user, str(self.programs / "pg_ctl"), "--pgdata", str(self.data), "--wait", "--log", log]
        # Its output must not be a pipe: the server keeps it open.
        subprocess.run(
            [*command, "--options", settings, "start"], cwd=self.folder, stdout=subprocess.DEVNULL, check=True, timeout=GUARD
        )

    def log(self) -> str:
        """What the server was asked, among other things."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def stop(self) -> None:
        self._run("pg_ctl", "--wait", "--mode", "immediate", "stop")

    @cached_property
    def connection(self):
        """A connection by Ibis; it is closed with the server."""
        import ibis

        return ibis.postgres.connect(host=str(self.folder), user=self.user, database="postgres")

    def view(self, name: str, query: str):
        """A query as a table of Ibis."""
        self.connection.raw_sql(f"CREATE OR REPLACE VIEW {name} AS {query}").close()
        return self.connection.table(name)

    def close(self) -> None:
        self.connection.disconnect()
        if (self.data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)
