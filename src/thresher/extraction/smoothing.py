"""Gaussian smoothing of a sequence: narrow gaps fill, lonely peaks fall."""

from collections.abc import Sequence
from math import ceil, exp


def gaussian_kernel(sigma: float) -> list[float]:
    """Return the weights of a window of 2⌈σ⌉ + 1 values, adding up to 1; just [1.0] for a sigma of 0."""
    radius = ceil(sigma)
    if not radius:
        return [1.0]
    weights = [exp(-(offset**2) / (2 * sigma**2)) for offset in range(-radius, radius + 1)]
    total = sum(weights)
    return [weight / total for weight in weights]


def smooth(values: Sequence[float], sigma: float) -> list[float]:
    """Return the values, each blended with its neighbours; those with no full window around them stay as they are."""
    kernel = gaussian_kernel(sigma)
    radius = len(kernel) // 2
    smoothed = list(values)
    for index in range(radius, len(values) - radius):
        window = values[index - radius : index + radius + 1]
        smoothed[index] = sum(weight * value for weight, value in zip(kernel, window, strict=True))
    return smoothed
