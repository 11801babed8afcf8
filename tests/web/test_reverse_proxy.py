"""The application below a base path behind a real nginx: cookies, redirects, feeds and forms lead through it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.web.browsers import PASSWORD
from thresher.lab.servers import OwnServer, dying_with_us, free_port, own_folder, running

CONFIGURATION = """\
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location = /ready {{ return 204; }}
    location /news/ {{
      proxy_pass http://127.0.0.1:{inner};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto https;
      proxy_buffering off;
    }}
  }}
}}
"""


def nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("nginx is not installed; scripts/servers --bench installs it")
        pytest.skip("nginx is not installed; scripts/servers --bench installs it")
    return found


@contextmanager
def proxied(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Run the application and nginx in front; give the address of nginx, and the one-time token."""
    flags = ["serve", "--port", "0", "--base-path", "/news", "--trust-proxy", "--allow-host", "news.example"]
    command = [sys.executable, "-m", "thresher", "--data", str(tmp_path / "data"), *flags]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process, own_folder() as folder:
        try:
            assert process.stderr
            told = next(line for line in process.stderr if "Thresher is at" in line)
            inner = int(re.findall(r":(\d+)/", told)[0])
            token = next(process.stderr).split()[-1]
            port = free_port()
            conf = folder / "nginx.conf"
            conf.write_text(CONFIGURATION.format(folder=folder, port=port, inner=inner))
            starts = [*dying_with_us(), nginx(), "-e", f"{folder}/error.log", "-p", f"{folder}", "-c", f"{conf}"]
            url = f"http://127.0.0.1:{port}"
            with running(OwnServer(starts, folder, port=port, url=url, ready=_answers)):
                yield url, token
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 204
    except httpx.HTTPError:
        return False


@pytest.mark.long
def test_everything_leads_through_the_proxy(tmp_path: Path) -> None:
    with proxied(tmp_path) as (address, token), httpx.Client(base_url=address, timeout=120) as client:
        client.headers["host"] = "news.example"
        assert client.get("/news/").headers["location"] == "/news/setup"
        page = client.get("/news/setup")
        assert {link.partition("/")[0] for link in re.findall(r'(?:href|src|action)="/([^"]*)"', page.text)} == {"news"}
        csrf = re.findall(r'name="csrf" value="([0-9a-f]+)"', page.text)[0]
        cookies = "; ".join(each.partition(";")[0] for each in page.headers.get_list("set-cookie"))
        form = {"csrf": csrf, "name": "ann", "password": PASSWORD}
        headers = {"cookie": cookies, "origin": "https://news.example"}
        refused = client.post("/news/setup", data=form, headers=headers)
        assert refused.status_code in (401, 403)  # from this machine, but by a proxy
        made = client.post("/news/setup", data={**form, "token": token}, headers=headers)
        assert made.status_code == 303
        assert made.headers["location"].startswith("/news/")
        session = next(each for each in made.headers.get_list("set-cookie") if "thresher_session" in each)
        for part in ("Path=/news", "Secure", "HttpOnly", "SameSite=lax"):
            assert part in session, session
        client.headers["cookie"] = session.partition(";")[0]
        assert client.get("/news/api/v1/me").json()["name"] == "ann"
        assert client.get("/news/").headers["strict-transport-security"]
        feed = client.get("/news/api/v1/search.rss").text
        assert "<link>https://news.example/news/search" in feed
        description = client.get("/news/api/v1/openapi.json").json()
        assert description["servers"] == [{"url": "/news/api/v1"}]
        again = re.findall(r'name="csrf" value="([0-9a-f]+)"', client.get("/news/settings").text)[0]
        sent = {"x-csrf-token": again, "origin": "https://news.example"}
        own = client.post("/news/api/v1/feeds", json={"query": "a"}, headers=sent).json()["path"]
        assert own.startswith("/news/feeds/")
        del client.headers["cookie"]
        assert client.get(own).status_code == 200
        assert client.get("/news/metrics").status_code == 401
        assert client.get("/news/healthz").json() == {"status": "alive"}
        assert client.get("/news/", headers={"host": "evil.example"}).status_code == 421
