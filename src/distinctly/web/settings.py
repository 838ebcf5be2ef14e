"""`Settings`: the address, the token, the studies and the limits of a server."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from distinctly.config import cores
from distinctly.errors import SpecError

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8765
SHORTEST_TOKEN = 16
MEGABYTE = 1_000_000
_DEFAULT_PORTS = {"http": 80, "https": 443}
# A name in ASCII, or a number of IPv4 or IPv6.
_HOST = re.compile(r"[a-z0-9.:-]+")
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a server.

    Attributes
    ----------
    host, port
        The address to listen at.
    token
        The secret that every request needs, except those of annotators; None for no token, which only a
        loopback address may have.
    public_address
        The address of a reverse proxy that passes requests on to this server, such as
        ``https://study.example.org``; its host and its origin are accepted too. It needs a token.
    studies
        The files of the studies to serve.
    body_limit
        The largest number of bytes of a request.
    pause_limit
        The largest number of seconds between two pieces of a request.
    seconds, report_seconds
        The time limits of a measurement and of a report; the process that exceeds it is ended.
    workers
        The number of processes that measure.
    queue_limit
        The number of requests that wait for a process; further ones are refused.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    token: str | None = field(default=None, repr=False)
    public_address: str | None = None
    studies: tuple[Path, ...] = ()
    body_limit: int = 64 * MEGABYTE
    pause_limit: float = 30.0
    seconds: float = 30.0
    report_seconds: float = 180.0
    workers: int = field(default_factory=lambda: min(cores(), 4))
    queue_limit: int = 32

    def __post_init__(self) -> None:
        if self.token is not None and len(self.token) < SHORTEST_TOKEN:
            raise SpecError(
                f"Expected a token of at least {SHORTEST_TOKEN} characters, got {len(self.token)}. "
                "Make one with: python -c 'import secrets; print(secrets.token_urlsafe())'"
            )
        if self.token is None and not is_loopback(self.host):
            raise SpecError(
                f"Other machines can reach the address {self.host}: also give --token, a secret of at least "
                f"{SHORTEST_TOKEN} characters, or leave out --host."
            )
        if self.public_address is not None:
            # Frozen, but not yet in use: the address is kept as browsers write an origin.
            object.__setattr__(self, "public_address", _origin(self.public_address))
            if self.token is None:
                raise SpecError(
                    f"Other machines can reach {self.public_address}: also give --token, a secret of at "
                    f"least {SHORTEST_TOKEN} characters, or leave out --public-address."
                )

    @property
    def address(self) -> str:
        """The address that a browser opens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    def is_known_host(self, header: str) -> bool:
        """Return whether a Host header names this server.

        A name that an attacker's domain server resolves to this machine (DNS rebinding) is none. If the
        server listens at all addresses, any number is accepted, since only a name can be rebound.

        Examples
        --------
        >>> settings = Settings()
        >>> settings.is_known_host("localhost:8765"), settings.is_known_host("evil.example:8765")
        (True, False)
        """
        if self.is_public_host(header):
            return True
        name, _, port = header.rpartition(":") if not header.endswith("]") else (header, "", "")
        if not name:
            name, port = header, "80"
        if (port or "80") != str(self.port):
            return False
        name = name.lower()
        bare = name.strip("[]")
        if name in _LOOPBACK_NAMES or bare == self.host.lower():
            return True
        if not is_wildcard(self.host):
            return False
        return _is_number(bare) or bare == socket.gethostname().lower()

    def is_public_host(self, header: str) -> bool:
        """Return whether a Host header names the public address."""
        if self.public_address is None:
            return False
        public = urlsplit(self.public_address)
        implied = f":{_DEFAULT_PORTS[public.scheme]}"
        return header.lower().removesuffix(implied) == public.netloc

    def origins_at(self, host: str) -> tuple[str, ...]:
        """Return the origins of our pages, for a request with this Host header.

        A proxy may pass on the public host, or name this server by its local address.
        """
        local = () if self.is_public_host(host) else (f"http://{host}",)
        return local if self.public_address is None else (*local, self.public_address)


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    return _is_number(host) and ipaddress.ip_address(host).is_loopback


def is_wildcard(host: str) -> bool:
    """Return whether an address stands for all addresses of this machine."""
    return _is_number(host) and ipaddress.ip_address(host).is_unspecified


def _origin(address: str) -> str:
    """Return a public address as browsers write an origin; raise if it is none."""
    problem = SpecError(
        f"Expected --public-address as https://study.example.org, without a path, got '{address[:200]}'."
    )
    try:
        parts = urlsplit(address.strip().lower())
        port = parts.port
    except ValueError:
        raise problem from None
    scheme, host = parts.scheme, parts.hostname
    if scheme not in _DEFAULT_PORTS or not host or parts.path not in ("", "/"):
        raise problem
    if parts.query or parts.fragment or parts.username is not None or not _HOST.fullmatch(host):
        raise problem
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}" + ("" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}")


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
