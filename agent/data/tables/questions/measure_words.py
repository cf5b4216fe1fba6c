"""What figures, comparisons, periods and charts are called, in the readings of a question in English and Japanese."""

from __future__ import annotations

MEASURES = {"sum": "total", "avg": "average", "median": "median", "min": "lowest", "max": "highest"}
TIMES = {"min": "earliest", "max": "latest"}
COMPARED = {">": "over", ">=": "at least", "<": "under", "<=": "at most"}
DATED = {">=": "since", "<": "before"}
CHARTS = {"any": "as a chart", "bar": "as a bar chart", "line": "as a line chart", "area": "as an area chart",
          "pie": "as a pie chart"}  # fmt: skip
COMPARED_JA = {">": "より大きい", ">=": "以上", "<": "未満", "<=": "以下"}
PERIODS_JA = {"year": "年", "quarter": "四半期", "month": "月", "week": "週", "day": "日"}
CHARTS_JA = {"any": "をグラフで", "bar": "を棒グラフで", "line": "を折れ線グラフで", "area": "を面グラフで",
             "pie": "を円グラフで"}  # fmt: skip
