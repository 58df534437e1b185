package dev.zarrreactive.partition;

import dev.zarrreactive.cf.CfRule;
import java.util.Set;

/** The rules by which a table's values are decoded: the option {@code decode} of each engine. */
public enum ValueRules {
  /** All rules of the CF conventions. */
  CF,

  /** Those that xarray applies. */
  XARRAY,

  /** None: stored elements. */
  NONE;

  /** Returns the rules. */
  public Set<CfRule> rules() {
    return switch (this) {
      case CF -> CfRule.all();
      case XARRAY -> CfRule.xarray();
      case NONE -> Set.of();
    };
  }
}
