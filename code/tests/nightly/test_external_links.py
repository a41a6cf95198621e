"""The checker of links to other hosts, against a server of its own: no test here leaves the machine."""

import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import external_links
import pytest


@pytest.fixture
def server():
    """A server whose path is the status that it answers with, and a count of what it was asked for."""
    asked = Counter()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            asked[self.path] += 1
            status = 200 if self.path == "/recovers" and asked[self.path] > 1 else 503
            self.send_response(int(self.path[1:]) if self.path[1:].isdigit() else status)
            self.end_headers()

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as running:
        # Which looks every 10 ms whether it is to end.
        threading.Thread(target=running.serve_forever, args=[0.01], daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()


@pytest.mark.parametrize(
    ("path", "wrong", "times"),
    [
        ("200", None, 1),
        ("403", None, 1),
        ("404", "404 Not Found", 1),
        ("410", "410 Gone", 1),
        ("recovers", None, 2),
        ("500", "500 Internal Server Error", 3),
    ],
)
def test_each_answer_is_understood(server, path, wrong, times):
    origin, asked = server
    assert external_links.fault(f"{origin}/{path}", patience=0) == wrong
    assert asked[f"/{path}"] == times


def test_a_host_that_does_not_answer_is_a_fault():
    assert "refused" in external_links.fault("http://127.0.0.1:1/", attempts=1)


def test_a_dead_link_on_a_page_is_reported_with_the_page(server, tmp_path, capsys):
    origin, asked = server
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(f'<a href="{origin}/200#part">a</a> <a href="sub/page.html">b</a>')
    (tmp_path / "sub/page.html").write_text(f'<a href="{origin}/200">a</a> <a href="{origin}/404">b</a>')
    assert external_links.main(tmp_path) == 1
    assert capsys.readouterr().out == (
        f"{origin}/404: 404 Not Found (in sub/page.html)\n2 links to other hosts, 1 broken\n"
    )
    assert asked == {"/200": 1, "/404": 1}
    (tmp_path / "sub/page.html").write_text("")
    assert external_links.main(tmp_path) == 0


def test_a_site_that_was_not_built_does_not_pass(tmp_path):
    assert external_links.main(tmp_path) == 1
