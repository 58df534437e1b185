package dev.zarrreactive.cf;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The rules by which stored elements become values. Each can be left out. */
public enum CfRule {
  /**
   * {@code _FillValue} marks missing values (CF 2.5.1). In Zarr v2 the array's fill value does,
   * where the array names its dimensions as xarray writes them; in Zarr v3 the attribute, where a
   * float may be base64 of a double, as xarray writes it.
   */
  FILL_VALUE,

  /** {@code missing_value}, a number or several, marks missing values (CF 2.5.1). */
  MISSING_VALUE,

  /**
   * Values outside of {@code valid_min}, {@code valid_max} or {@code valid_range} are missing (CF
   * 2.5.1, NUG appendix A). Bounds of packed integers that are spelled with a fraction are bounds
   * of the unpacked values. xarray does not apply this rule.
   */
  VALID_RANGE,

  /** {@code scale_factor} and {@code add_offset} unpack numbers (CF 8.1). */
  SCALE_AND_OFFSET,

  /** {@code _Unsigned} says the sign of integers (NUG, best practices). */
  UNSIGNED,

  /** {@code dtype: bool} marks integers that are booleans, as xarray writes it. */
  BOOLEAN,

  /**
   * Arrays of single characters are texts along their last dimension (CF 2.2), and byte strings
   * with {@code _Encoding} are texts.
   */
  TEXT,

  /**
   * {@code units} such as {@code days since 2000-01-01}, with {@code calendar}, are times (CF 4.4).
   */
  TIME,

  /** {@code units} such as {@code days}, spelled as xarray writes them, are lengths of time. */
  TIME_DELTA;

  /** All rules, of CF and NUG: the default. */
  public static Set<CfRule> all() {
    return Collections.unmodifiableSet(EnumSet.allOf(CfRule.class));
  }

  /** The rules that xarray applies: all but {@link #VALID_RANGE}. */
  public static Set<CfRule> xarray() {
    return Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(VALID_RANGE)));
  }
}
