package dev.zarrreactive.cli.options;

import dev.zarrreactive.dataset.DatasetSelection;
import dev.zarrreactive.dataset.LabelMethod;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A selection of one dimension by label.
 *
 * @param dimension the name of the dimension and of its coordinate
 * @param isNearest true for the value that is nearest to {@code from}
 * @param isRange true for the values from {@code from} to {@code to}, each empty for no end
 */
public record DimensionLabel(
    String dimension, boolean isNearest, boolean isRange, String from, String to) {
  /** Reads {@code DIM=LABEL}, {@code DIM=FROM..TO} or {@code DIM~LABEL}. */
  public static final class Converter implements ITypeConverter<DimensionLabel> {
    private static final Pattern TEXT = Pattern.compile("([^=~]+)([=~])(.*?)(?:(\\.\\.)(.*))?");

    @Override
    public DimensionLabel convert(String text) {
      Matcher parts = TEXT.matcher(text);
      boolean isRange = parts.matches() && parts.group(4) != null;
      if (!parts.matches()
          || (parts.group(3).isEmpty() && !isRange)
          || (isRange && parts.group(2).equals("~"))) {
        throw new TypeConversionException(
            "expected DIM=LABEL, DIM=FROM..TO or DIM~LABEL for the nearest value, not " + text);
      }
      return new DimensionLabel(
          parts.group(1).strip(),
          parts.group(2).equals("~"),
          isRange,
          parts.group(3).strip(),
          isRange ? parts.group(5).strip() : "");
    }
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
