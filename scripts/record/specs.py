"""The options of metrics that are recorded: the defaults, all presets, and those listed here."""

from __future__ import annotations

from . import interface

POOLS = ("pool=text", "pool=corpus", "pool=text,short=zero", "pool=text,short=nan")
RICHNESS = ("pool=corpus", "pool=text,short=zero", "pool=text,short=nan")
OPTIONS: dict[str, tuple[str, ...]] = {
    "answers": ("threshold=0.6", "threshold=0.6,linkage=greedy"),
    "chao1": ("n=2", *POOLS),
    "compression": ("algorithm=xz", "algorithm=zstd", "shuffles=2,seed=1"),
    "corrected_ttr": RICHNESS,
    "coverage": ("n=2", "n=3,pool=text"),
    "distinct": ("n=5", *(f"n=2,{pool}" for pool in POOLS), "n=2,denominator=tokens"),
    "dugast": RICHNESS,
    "dcscore": ("temperature=0.1", "tau=4"),
    "duplicates": ("near=yes,threshold=0.5,n=2", "near=yes,permutations=64"),
    "ead": ("n=2", "vocabulary=50257", "vocabulary=chao1", *POOLS),
    "entropy": (
        "n=2,correction=miller-madow",
        "n=1,correction=chao-shen",
        "n=1,pool=text",
        "n=1,pool=text,correction=chao-shen",
    ),
    "hdd": ("sample=10", "sample=10,pool=corpus", "sample=10,short=zero"),
    "herdan": RICHNESS,
    "hill": ("q=0", "q=2", "q=inf", "n=2", "q=0.5,pool=text"),
    "homogenization": ("pairs=500", "pairs=500,seed=1"),
    "maas": ("log=10", *RICHNESS),
    "magnitude": ("scale=8", "distance=euclidean", "distance=euclidean,scale=4"),
    "mattr": ("window=5", "window=5,pool=corpus", "window=5,short=zero", "window=5,short=nan"),
    "msttr": ("window=5", "window=5,pool=corpus", "window=5,short=zero"),
    "mtld": ("threshold=0.6", "compare=<=", "pool=corpus", "minimum=10,short=zero"),
    "mtld_ma": ("threshold=0.6", "compare=<=", "pool=corpus", "minimum=10,short=zero"),
    "rarefied": ("n=1,sample=50", "n=2,sample=20", "n=1,pool=text,sample=4"),
    "root_ttr": RICHNESS,
    "self_bleu": (
        "max_n=2",
        "smoothing=epsilon",
        "smoothing=add-k",
        "smoothing=exp",
        "mode=pairwise,pairs=2000",
    ),
    "self_repetition": ("n=2", "short=nan"),
    "sentence_length": ("of=char",),
    "simpson": RICHNESS,
    "summer": RICHNESS,
    "templates": ("n=2,texts=2", "n=3,texts=2,short=zero"),
    "ttr": RICHNESS,
    "types": ("n=5", "n=2,pool=text"),
    "similarity_hill": ("q=0", "q=2", "q=inf", "similarity=ngrams", "similarity=ngrams,max_n=2,q=2"),
    "utility": ("threshold=0.6,patience=0.5",),
    "vendi": ("q=0", "q=2", "q=inf", "kernel=ngram", "kernel=ngram,max_n=2", "kernel=rbf,sigma=1"),
    "vocd": ("pool=corpus",),
    "yule": RICHNESS,
    "chi": ("top=50", "value=cbdf", "value=p", "value=p,degrees=paper"),
    "classifier": (
        "value=f1",
        "split=once",
        "folds=3,c=0.1",
        "standardise=no",
        "balanced=no,sample=50,seed=1",
    ),
    "dc": ("k=3", "metric=angular"),
    "energy": ("metric=euclidean", "unbiased=no"),
    "hausdorff": ("mode=max", "metric=euclidean", "mode=max,metric=euclidean"),
    "jensen_shannon": ("n=2",),
    "mauve": ("scale=2", "clusters=8", "explained=0.5", "seeds=2,seed=1", "joint=yes"),
    "mmd": ("kernel=rbf",),
    "pr": ("k=3", "metric=angular"),
    "sliced_wasserstein": ("directions=20", "seed=1"),
    "ttest": ("variance=pooled", "constant=skip"),
    "ttr_difference": ("at=50", "at=200"),
    "zipf": ("top=50", "ranks=exact", "ranks=released"),
}
# Options that a metric requires, beside those that a spec expands to.
REQUIRED = {"rarefied": "sample=30"}
# Values at a size: exact, by draws, and with the size in texts. All texts of the demonstration are larger.
SIZED = (
    *("distinct:n=1,at=200", "distinct:n=2,denominator=tokens,at=180", "types:n=2,at=180", "ead:at=200"),
    *("ead:vocabulary=chao1,at=200,draws=5", "entropy:n=1,at=200,draws=5", "hill:q=2,at=200,draws=5"),
    *("chao1:at=200,draws=5,seed=1", "coverage:n=2,at=180,draws=5"),
    *(f"{name}:pool=corpus,at=200" for name in ("ttr", "root_ttr", "corrected_ttr", "herdan", "summer")),
    *(f"{name}:pool=corpus,at=200" for name in ("dugast", "maas", "yule", "simpson")),
    *("self_bleu:max_n=2,at=12texts,draws=5", "self_repetition:n=2,at=12texts,draws=5"),
    *("templates:n=2,texts=2,of=words,at=12texts,draws=3",),
    *("compression:at=12texts,draws=3", "duplicates:at=12texts,draws=3"),
    *("vendi:at=12texts,draws=3", "chamfer:at=12texts,draws=3,seed=1"),
)
# Metrics whose time grows with the square of the number of texts, or with their length.
SLOW = ("homogenization", "vocd", "duplicates", "mtld_ma", "vendi", "self_bleu", "compression")
REFERENCE = (
    "ead:vocabulary=reference",
    "ead:expected=reference",
    "ead:n=2,vocabulary=reference,expected=reference",
)
GROUPED = (
    *(
        "distinct:n=2",
        "distinct:n=1,pool=group",
        "ead",
        "entropy:n=1",
        "ttr",
        "ttr:pool=corpus",
        "ttr:pool=group",
    ),
    *("rarefied:n=1,sample=20", "types:n=1", "chao1", "hill:q=2", "mtld:pool=corpus"),
    *("self_bleu", "duplicates", "dispersion", "vendi", "compression", "self_repetition:n=2"),
    *("distinct:n=1,at=200", "types:n=1,at=200,unit=text", "entropy:n=1,at=200,unit=text,draws=5"),
    *("self_bleu:at=12texts,unit=text,draws=5", "vendi:at=12texts,draws=3"),
)
POOLED = tuple(spec for spec in GROUPED if "pool=group" not in spec)
FAST_DISTANCES = (
    "chi",
    "jensen_shannon",
    "frechet",
    "dc",
    "energy",
    "mmd",
    "zipf",
    "ttr_difference",
    "median",
)


def default(name: str) -> str:
    """Return the spec of a metric with its defaults."""
    return f"{name}:{REQUIRED[name]}" if name in REQUIRED else name


def of_metric(name: str) -> list[str]:
    """Return the recorded specs of a metric."""
    return [
        default(name),
        *(f"{name}:preset={preset}" for preset in interface.presets(name)),
        *(f"{name}:{options}" for options in OPTIONS.get(name, ())),
    ]
