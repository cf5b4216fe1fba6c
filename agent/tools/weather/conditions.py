"""Weather in words: the codes of the World Meteorological Organization, units, winds; in English and Japanese."""

from __future__ import annotations

from collections.abc import Mapping

# https://open-meteo.com/en/docs: "WMO Weather interpretation codes (WW)"
_SKY: Mapping[int, tuple[str, str]] = {
    0: ("clear sky", "快晴"), 1: ("mainly clear", "晴れ"),
    2: ("partly cloudy", "晴れ時々曇り"), 3: ("overcast", "曇り"),
    45: ("fog", "霧"), 48: ("freezing fog", "着氷性の霧"),
    51: ("light drizzle", "弱い霧雨"), 53: ("drizzle", "霧雨"), 55: ("dense drizzle", "強い霧雨"),
    56: ("light freezing drizzle", "弱い着氷性の霧雨"), 57: ("freezing drizzle", "着氷性の霧雨"),
    61: ("light rain", "小雨"), 63: ("rain", "雨"), 65: ("heavy rain", "大雨"),
    66: ("light freezing rain", "弱い着氷性の雨"), 67: ("freezing rain", "着氷性の雨"),
    71: ("light snow", "小雪"), 73: ("snow", "雪"), 75: ("heavy snow", "大雪"), 77: ("snow grains", "霧雪"),
    80: ("light showers", "弱いにわか雨"), 81: ("showers", "にわか雨"), 82: ("violent showers", "激しいにわか雨"),
    85: ("light snow showers", "弱いにわか雪"), 86: ("snow showers", "にわか雪"),
    95: ("thunderstorm", "雷雨"), 96: ("thunderstorm with hail", "雹を伴う雷雨"),
    99: ("thunderstorm with heavy hail", "強い雹を伴う雷雨"),
}  # fmt: skip
_UNITS = {"mp/h": "mph", "inch": "in"}
_WINDS = {
    "en": ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"),
    "ja": ("北", "北東", "東", "南東", "南", "南西", "西", "北西"),
}
_DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "ja": ("月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"),
}
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "now": "Now", "feels": "Feels like", "humidity": "Humidity", "wind": "Wind", "gusts": "Wind up to",
        "rain": "Precipitation", "chance": "Chance of precipitation", "low": "Low", "high": "High",
        "day": "Day", "sky": "Sky",
        "from": "{} from the {}", "stop": ". ", "join": ", ",
        "others": "Other places of this name: {}. Write the state or country after a comma for one of them.",
        "temperature": "Temperature", "forecast": "Weather in {}", "local": "local time {}", "to": " to ",
    },
    "ja": {
        "now": "現在", "feels": "体感温度", "humidity": "湿度", "wind": "風", "gusts": "最大風速",
        "rain": "降水量", "chance": "降水確率", "low": "最低気温", "high": "最高気温", "day": "日付", "sky": "天気",
        "from": "{}（{}の風）", "stop": "。", "join": "、",
        "others": "同じ名前の場所: {}。そちらの場合は、コンマの後に州や国を書いてください。",
        "temperature": "気温", "forecast": "{}の天気", "local": "現地時刻 {}", "to": "～",
    },
}  # fmt: skip


def sky(code: float | None, language: str) -> str:
    """``light rain``; "" for a code that is none."""
    english, japanese = _SKY.get(int(code), ("", "")) if code is not None else ("", "")
    return japanese if language == "ja" else english


def unit(name: str) -> str:
    return _UNITS.get(name, name)


def wind_from(degrees: float, language: str) -> str:
    """Where a wind comes from: 0 degrees is north, 90 east."""
    return _WINDS[language][round(degrees / 45) % 8]


def weekday(number: int, language: str) -> str:
    return _DAYS[language][number]
