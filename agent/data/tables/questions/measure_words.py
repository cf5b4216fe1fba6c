"""What figures, comparisons, periods and charts are called, in the readings of a question in English and Japanese."""

from __future__ import annotations

MEASURES = {"sum": "total", "avg": "average", "median": "median", "min": "lowest", "max": "highest"}
MEASURES_JA = {"sum": "合計", "avg": "平均", "median": "中央値", "min": "最小値", "max": "最大値", "count": "件数",
               "distinct": "種類の数"}  # fmt: skip
TITLES = {**MEASURES, "distinct": "different", "count": "number of"}  # before the name of what a result tells
TIMES = {"min": "earliest", "max": "latest"}
COMPARED = {">": "over", ">=": "at least", "<": "under", "<=": "at most"}
DATED = {">=": "since", "<": "before"}
CHARTS = {"any": "as a chart", "bar": "as a bar chart", "line": "as a line chart", "area": "as an area chart",
          "pie": "as a pie chart"}  # fmt: skip
COMPARED_JA = {">": "より大きい", ">=": "以上", "<": "未満", "<=": "以下"}
CHARTS_JA = {"any": "をグラフで", "bar": "を棒グラフで", "line": "を折れ線グラフで", "area": "を面グラフで",
             "pie": "を円グラフで"}  # fmt: skip
