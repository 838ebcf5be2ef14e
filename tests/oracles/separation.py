"""Oracle for `classifier`: scikit-learn as its manual has it, with rows cut out and no table of kernels.

`ibm_f1` is the end of `classifier_distance` of IBM's released package (compcor 1.0.6, corpus_metrics.py),
for a split that is given instead of drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import svm
from sklearn.metrics import f1_score
from sklearn.preprocessing import StandardScaler

Array = np.ndarray[Any, Any]


def told_right(rows: Array, labels: Array, folds: Array, *, c: float = 1.0, balanced: bool = True) -> Array:
    """Return for each row whether a machine that learnt from the other folds tells its label."""
    standardised = StandardScaler().fit_transform(rows.astype(np.float64))
    right = np.zeros(len(rows), bool)
    for fold in set(folds.tolist()):
        learnt, judged = folds != fold, folds == fold
        # γ = scale is 1 / (dimensions · variance), and the variance of all rows is the share that vary.
        gamma = 1 / ((standardised.shape[1] * standardised.var()) or 1.0)
        machine = svm.SVC(C=c, gamma=gamma, class_weight="balanced" if balanced else None)
        machine.fit(standardised[learnt], labels[learnt])
        right[judged] = machine.predict(standardised[judged]) == labels[judged]
    return right


def ibm_f1(corpus1_train: Array, corpus1_test: Array, corpus2_train: Array, corpus2_test: Array) -> float:
    """Return the F1 of one split, as released."""
    train_x = [*corpus1_train, *corpus2_train]
    train_y = [0] * len(corpus1_train) + [1] * len(corpus2_train)
    test_x = [*corpus1_test, *corpus2_test]
    test_y = [0] * len(corpus1_test) + [1] * len(corpus2_test)
    model = svm.SVC(random_state=1)
    model.fit(train_x, train_y)
    y_pred = model.predict(test_x)
    return float(f1_score(test_y, y_pred))
