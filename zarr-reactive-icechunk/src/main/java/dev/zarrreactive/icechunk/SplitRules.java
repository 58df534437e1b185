package dev.zarrreactive.icechunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.icechunk.NodeRecord;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * How the references of an array are split into manifests, as the configuration of the repository
 * says it: the first rule for an array counts, and in it the first one for each axis.
 */
final class SplitRules {
  /** The number of chunks along an axis that is not split. */
  static final int UNSPLIT = -1;

  /** The steps that one look at a name may take; an expression may go back and forth for ever. */
  private static final int MOST_STEPS = 1_000_000;

  private final @Nullable JsonArray rules;

  /** The rules of a configuration. */
  SplitRules(JsonObject config) {
    JsonValue all =
        config.get("manifest") instanceof JsonObject manifest
                && manifest.get("splitting") instanceof JsonObject splitting
            ? splitting.get("split_sizes")
            : null;
    this.rules = all instanceof JsonArray list ? list : null;
  }

  /**
   * Returns for each axis of an array the number of chunks that one manifest has along it; {@link
   * #UNSPLIT} (the greatest unsigned number) for all of them.
   */
  int[] sizes(String path, NodeRecord.Grid grid) {
    int[] sizes = new int[grid.chunks().size()];
    java.util.Arrays.fill(sizes, UNSPLIT);
    JsonArray axes = rules == null ? null : rule(path, rules);
    if (axes != null) {
      List<@Nullable String> names = grid.names();
      for (int axis = 0; axis < sizes.length; axis++) {
        sizes[axis] = size(axes, axis, names == null ? null : names.get(axis));
      }
    }
    return sizes;
  }

  private static @Nullable JsonArray rule(String path, JsonArray rules) {
    for (JsonValue rule : rules.elements()) {
      if (rule instanceof JsonArray pair
          && pair.elements().size() == 2
          && pair.elements().get(1) instanceof JsonArray axes) {
        if (holds(pair.elements().get(0), path)) {
          return axes;
        }
      } else {
        throw unknown(rule);
      }
    }
    return null;
  }

  private static boolean holds(JsonValue condition, String path) {
    if (condition instanceof JsonString text && text.value().equals("any_array")) {
      return true;
    }
    if (condition instanceof JsonObject object && object.members().size() == 1) {
      if (object.get("or") instanceof JsonArray parts) {
        return parts.elements().stream().anyMatch(part -> holds(part, path));
      }
      if (object.get("and") instanceof JsonArray parts) {
        return parts.elements().stream().allMatch(part -> holds(part, path));
      }
      if (object.get("path_matches") instanceof JsonObject match) {
        return matches(match, path);
      }
      if (object.get("name_matches") instanceof JsonObject match) {
        return matches(match, path.substring(path.lastIndexOf('/') + 1));
      }
    }
    throw unknown(condition);
  }

  private static boolean matches(JsonObject match, String text) {
    return matches(match.string("regex").orElseThrow(() -> unknown(match)), text);
  }

  private static int size(JsonArray axes, int axis, @Nullable String name) {
    for (JsonValue each : axes.elements()) {
      if (!(each instanceof JsonObject rule)) {
        throw unknown(each);
      }
      JsonValue condition = rule.get("condition");
      if (isFor(condition, axis, name)) {
        long chunks = rule.integer("num_chunks").orElse(0);
        if (chunks < 1 || chunks > 0xffff_ffffL) {
          throw unknown(rule);
        }
        return (int) chunks;
      }
    }
    return UNSPLIT;
  }

  private static boolean isFor(@Nullable JsonValue condition, int axis, @Nullable String name) {
    if (condition instanceof JsonString text && text.value().equals("Any")) {
      return true;
    }
    if (condition instanceof JsonObject object) {
      if (object.integer("Axis").isPresent()) {
        return object.integer("Axis").getAsLong() == axis;
      }
      String pattern = object.string("DimensionName").orElseThrow(() -> unknown(object));
      return name != null && matches(pattern, name);
    }
    throw unknown(condition);
  }

  private static boolean matches(String pattern, String text) {
    try {
      return Pattern.compile(pattern).matcher(new Counted(text, new int[1], pattern)).find();
    } catch (PatternSyntaxException e) {
      throw unreadable("the expression \"" + pattern + "\": " + e.getDescription());
    }
  }

  private static UnsupportedFeatureException unknown(@Nullable JsonValue rule) {
    return unreadable("the rule " + rule);
  }

  private static UnsupportedFeatureException unreadable(String what) {
    return new UnsupportedFeatureException(
        "the configuration of the repository splits manifests (manifest.splitting.split_sizes) by "
            + what
            + ", which is not understood",
        Location.ofKey("repo"));
  }

  /** A text that counts the looks at its characters. */
  private static final class Counted implements CharSequence {
    private final CharSequence text;
    private final int[] steps;
    private final String pattern;

    Counted(CharSequence text, int[] steps, String pattern) {
      this.text = text;
      this.steps = steps;
      this.pattern = pattern;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (++steps[0] > MOST_STEPS) {
        throw unreadable("the expression \"" + pattern + "\", which takes too long");
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), steps, pattern);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
