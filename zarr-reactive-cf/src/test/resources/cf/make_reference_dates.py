"""Writes reference-dates.tsv: units, calendar, and the seconds from 1970-01-01 in the calendar to the reference date.

The dates of the standard calendar are those of UDUNITS-2 (libudunits2.so.0, by ctypes), in every form of its
grammar that names one date. Those of other calendars are cftime's, which knows fewer forms.

    python make_reference_dates.py > reference-dates.tsv
"""
import ctypes
import random

import cftime

lib = ctypes.CDLL("libudunits2.so.0")
for name, types in (("ut_read_xml", [ctypes.c_char_p]), ("ut_parse", [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]),
                    ("ut_get_converter", [ctypes.c_void_p, ctypes.c_void_p])):
    getattr(lib, name).restype = ctypes.c_void_p
    getattr(lib, name).argtypes = types
lib.cv_convert_double.restype = ctypes.c_double
lib.cv_convert_double.argtypes = [ctypes.c_void_p, ctypes.c_double]
lib.ut_set_error_message_handler(ctypes.cast(lib.ut_ignore, ctypes.c_void_p))
system = lib.ut_read_xml(None)
epoch = lib.ut_parse(system, b"seconds since 1970-01-01 00:00:00", 2)


def udunits(units):
    unit = lib.ut_parse(system, units.encode(), 2)
    return lib.cv_convert_double(lib.ut_get_converter(unit, epoch), 0.0) if unit else None


def others(units, calendar):
    date = cftime.num2date(0, units, calendar)
    return cftime.date2num(date, "microseconds since 1970-01-01", calendar) / 1e6


def shown(chance, digits, number):
    return f"{number:0{digits}d}" if chance.random() < 0.6 else str(number)


def clock(chance, forms):
    h, m, s = chance.randrange(24), chance.randrange(60), chance.randrange(60)
    fraction = chance.choice(["", "", ".5", ".25", ".125", "."])
    form = chance.choice(forms)
    text = {"h": f"{h:02d}", "hm": f"{h:02d}{m:02d}", "hms": f"{h:02d}{m:02d}{s:02d}{fraction}",
            "H": shown(chance, 2, h), "H:M": f"{shown(chance, 2, h)}:{shown(chance, 2, m)}",
            "H:M:S": f"{shown(chance, 2, h)}:{shown(chance, 2, m)}:{shown(chance, 2, s)}{fraction}"}[form]
    return text


def zone(chance):
    h, m = chance.randrange(13), chance.choice([0, 15, 30, 45])
    sign = chance.choice("+-") if h > 0 else "+"  # UDUNITS loses the sign of -0:15
    return chance.choice(["", "", "", "Z", " Z", " UTC", " GMT", f"{sign}{h:02d}:{m:02d}", f" {sign}{h}:{m:02d}",
                          f" {sign}{h:02d}{m:02d}", f" {sign}{h}", f" {h}:{m:02d}", f" {h}"])


def dashed(chance, year, parts=(1, 2, 3)):
    texts = [shown(chance, 4, year), shown(chance, 2, chance.randint(1, 12)), shown(chance, 2, chance.randint(1, 28))]
    return "-".join(texts[:chance.choice(parts)])


def date(chance):
    if chance.random() < 0.35:
        text = f"{chance.randint(1000, 2999)}"
        if chance.random() < 0.9:
            text += f"{chance.randint(1, 12):02d}"
            text += f"{chance.randint(1, 28):02d}" if chance.random() < 0.8 else ""
        return text
    if chance.random() < 0.1:
        return "-" + dashed(chance, chance.randint(1, 4713), (2, 3))
    return dashed(chance, chance.randint(1, 9999))


def main():
    chance = random.Random(27)
    lines = []
    while len(lines) < 400:
        text = date(chance)
        if chance.random() < 0.7:
            separator = chance.choice([" ", "T", "  "])
            text += separator + clock(chance, ["h", "hm", "hms", "H", "H:M", "H:M:S"]) + zone(chance)
        units = f"{chance.choice(['days', 'seconds', 'ms', 'Hours'])} since {text}"
        found = udunits(units)
        if found is not None:
            lines.append((units, "standard", found))
    for calendar in ["proleptic_gregorian", "julian", "noleap", "all_leap", "360_day", "standard"]:
        for _ in range(25):
            year = chance.randint(1, 3000) * (-1 if chance.random() < 0.2 else 1)
            text = dashed(chance, year, (3,))
            if chance.random() < 0.7:
                text += chance.choice([" ", "T"]) + clock(chance, ["H:M", "H:M:S"]).rstrip(".")  # cftime passes over a zone after it
                text += chance.choice(["", "Z", " +01:30", " -03:00", "+0200"])  # cftime passes over +1:30
            elif chance.random() < 0.3:
                text += " -05:30"
            units = f"{chance.choice(['days', 'hours', 'msec'])} since {text}"
            lines.append((units, calendar, others(units, calendar)))
    for units, calendar, seconds in lines:
        print(f"{units}\t{calendar}\t{seconds:.3f}")


main()
