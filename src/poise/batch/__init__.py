"""Many clips: worker processes on this machine or a Dask cluster, resumable."""

from poise.batch.call import batch
from poise.batch.result import Measures, Result
from poise.batch.run import Batch

__all__ = ["Batch", "Measures", "Result", "batch"]
