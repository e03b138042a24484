"""nginx with `deploy/nginx.conf` as it is, but for addresses, before servers on this machine."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"

_AROUND = """\
{user}
daemon off;
worker_processes 2;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def configure(folder: Path, text: str, *, http: int, https: int, servers: Sequence[int]) -> Path:
    """Write a configuration into a folder: the `text` of a site's with these ports; its file."""
    certificate, key = certificate_for(folder, x509.DNSName("localhost"))
    (upstream,) = re.findall(r"^ *server 127\.0\.0\.1:8000\b.*\n", text, re.MULTILINE)
    lines = "".join(upstream.replace("8000", str(port)) for port in servers)
    text = text.replace(upstream, lines)
    for old, new in (
        ("/etc/ssl/play.example/fullchain.pem", str(certificate)),
        ("/etc/ssl/play.example/privkey.pem", str(key)),
        ("listen 80;", f"listen {http};"),
        ("listen [::]:80;", f"listen [::]:{http};"),
        ("listen 443 ", f"listen {https} "),
        ("listen [::]:443 ", f"listen [::]:{https} "),
        ("server_name play.example;", "server_name localhost;"),
    ):
        assert old in text, f"{CONFIGURATION} has no {old!r}"
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text, encoding="utf-8")
    whole = folder / "nginx.conf"
    # Its processes would be of a user who may not write into the folder.
    user = "user root;" if os.geteuid() == 0 else ""
    whole.write_text(_AROUND.format(folder=folder, user=user), encoding="utf-8")
    return whole


def complaint(configuration: Path) -> str:
    """What nginx itself has against a configuration; empty where that is nothing."""
    done = subprocess.run(_command(configuration, "-t"), capture_output=True, text=True, check=False)
    return done.stderr if done.returncode or "[warn]" in done.stderr else ""


@contextmanager
def running(configuration: Path) -> Iterator[None]:
    """Run nginx with this configuration."""
    process = subprocess.Popen(_command(configuration))
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _command(configuration: Path, *more: str) -> list[str]:
    errors = str(configuration.with_name("error.log"))
    return ["nginx", "-p", str(configuration.parent), "-e", errors, "-c", str(configuration), *more]


def certificate_for(folder: Path, host: x509.GeneralName) -> tuple[Path, Path]:
    """A certificate for a host, signed by its own key, and that key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([host]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(Encoding.PEM))
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate, secret
