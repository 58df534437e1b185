package dev.zarrreactive.internal.labels;

import dev.zarrreactive.dataset.DatasetSelection;
import dev.zarrreactive.dataset.LabelMethod;
import dev.zarrreactive.error.InvalidInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A selection of one dimension by label, as the text of an option or of a parameter.
 *
 * @param dimension the name of the dimension and of its coordinate
 * @param isNearest true for the value that is nearest to {@code from}
 * @param isRange true for the values from {@code from} to {@code to}, each empty for no end
 */
public record DimensionLabel(
    String dimension, boolean isNearest, boolean isRange, String from, String to) {
  private static final Pattern TEXT = Pattern.compile("([^=:~]+)([=:~])(.*?)(?:(\\.\\.)(.*))?");

  /**
   * Reads {@code DIM=LABEL}, {@code DIM=FROM..TO} or {@code DIM~LABEL}. A colon stands for the
   * equals sign, which has another meaning in the query of a URL.
   *
   * @throws InvalidInputException for another text
   */
  public static DimensionLabel parse(String text) {
    Matcher parts = TEXT.matcher(text);
    boolean isRange = parts.matches() && parts.group(4) != null;
    if (!parts.matches()
        || (parts.group(3).isEmpty() && !isRange)
        || (isRange && parts.group(2).equals("~"))) {
      throw new InvalidInputException(
          "expected DIM=LABEL, DIM=FROM..TO or DIM~LABEL for the nearest value, with = or :, not "
              + text);
    }
    return new DimensionLabel(
        parts.group(1).strip(),
        parts.group(2).equals("~"),
        isRange,
        parts.group(3).strip(),
        isRange ? parts.group(5).strip() : "");
  }

  /** Returns a selection with this one after it. */
  public DatasetSelection applyTo(DatasetSelection selection) {
    if (isNearest) {
      return selection.sel(dimension, from, LabelMethod.NEAREST);
    } else if (!isRange) {
      return selection.sel(dimension, from);
    } else if (from.isEmpty()) {
      return to.isEmpty() ? selection : selection.selTo(dimension, to);
    }
    return to.isEmpty() ? selection.selFrom(dimension, from) : selection.sel(dimension, from, to);
  }
}
