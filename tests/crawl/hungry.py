"""A job whose module takes much memory while it is imported."""

TAKEN = len(bytearray(1_500_000_000))


def work(request: bytes) -> bytes:
    return request
