package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for a part of an array, or of every array with the dimensions that it names. */
public final class SelectOption {
  @Option(
      names = "--select",
      paramLabel = "SELECTION",
      converter = Converter.class,
      description = "Only these elements: 0:10,::2,5 or time=0:10,lat=5.")
  private @Nullable Indices indices;

  /**
   * Indices of an array.
   *
   * @param selection by the order of the dimensions; null for a selection by their names
   * @param named the NumPy notation for dimensions by name
   */
  record Indices(@Nullable Selection selection, Map<String, String> named) {}

  /** Returns true if the command has the option. */
  public boolean isGiven() {
    return indices != null;
  }

  /** Returns the names of the dimensions that are selected by name. */
  public Set<String> dimensions() {
    return indices == null ? Set.of() : indices.named.keySet();
  }

  /** Returns the selection by the order of the dimensions; null without one. */
  public @Nullable Selection orNull() {
    return indices == null ? null : indices.selection;
  }

  /** Returns the selection by the order of the dimensions, without one that of all elements. */
  public Selection orAll() {
    Selection selection = orNull();
    return selection == null ? Selection.all() : selection;
  }

  /**
   * Returns what the names of dimensions select of a variable.
   *
   * @throws IllegalArgumentException for a dimension that the variable lacks, and for indices that
   *     do not fit
   */
  public Variable named(Variable variable) {
    Variable part = variable;
    if (indices != null) {
      for (Map.Entry<String, String> each : indices.named.entrySet()) {
        part = part.isel(each.getKey(), each.getValue());
      }
    }
    return part;
  }

  /** Returns what the names of dimensions select of a dataset; errors as of a variable. */
  public Dataset named(Dataset dataset) {
    Dataset part = dataset;
    if (indices != null) {
      for (Map.Entry<String, String> each : indices.named.entrySet()) {
        part = part.isel(each.getKey(), each.getValue());
      }
    }
    return part;
  }

  /**
   * Returns what the option selects of a dataset, by the order of a variable's dimensions or by
   * their names.
   *
   * @param names the variable whose dimensions have the order: the only one
   * @throws CommandFailure for a selection by order of several variables
   */
  public Dataset of(Dataset dataset, List<String> names) {
    if (orNull() != null && names.size() != 1) {
      throw new CommandFailure(
          "this is a group: --select names its dimensions, as in --select time=0:10,lat=5");
    }
    Dataset part = dataset;
    if (orNull() != null) {
      for (Map.Entry<String, DimensionSelection> each :
          byName(dataset.variable(names.get(0))).entrySet()) {
        part = part.isel(each.getKey(), each.getValue());
      }
    }
    return named(part);
  }

  /**
   * Returns what the option selects by the order of the dimensions, by their names.
   *
   * @throws CommandFailure for points, which are no part of a dimension
   */
  public Map<String, DimensionSelection> byName(Variable variable) {
    Map<String, DimensionSelection> byName = new LinkedHashMap<>();
    Selection selection = orNull();
    if (selection != null) {
      if (!(selection.resolve(variable.shape()) instanceof ResolvedSelection.Orthogonal box)) {
        throw new CommandFailure("a table has a selection along each dimension, not points");
      }
      for (int d = 0; d < box.axes().size(); d++) {
        Axis axis = box.axes().get(d);
        byName.put(
            variable.dimensions().get(d),
            axis instanceof Axis.Range range && range.dropped()
                ? DimensionSelection.at(range.start())
                : kept(axis));
      }
    }
    return byName;
  }

  /** Returns the indices of an axis, of which a single one is a slice of length 1. */
  public static DimensionSelection kept(Axis axis) {
    if (axis instanceof Axis.Indices list) {
      return DimensionSelection.indices(list.toArray());
    }
    Axis.Range range = (Axis.Range) axis;
    return range.count() == 0
        ? DimensionSelection.slice(0, 0)
        : DimensionSelection.slice(
            range.start(), range.start() + (range.count() - 1) * range.step() + 1, range.step());
  }

  /** Reads a selection in NumPy notation, as {@code 0:10,5} or {@code time=0:10,lat=5}. */
  static final class Converter implements ITypeConverter<Indices> {
    @Override
    public Indices convert(String notation) {
      try {
        return notation.indexOf('=') < 0
            ? new Indices(Selection.parse(notation), Map.of())
            : new Indices(null, named(notation));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }

    private static Map<String, String> named(String notation) {
      Map<String, String> named = new LinkedHashMap<>();
      for (String part : notation.split(",(?![^\\[]*])", -1)) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? "" : part.substring(0, equals).strip();
        if (name.isEmpty()) {
          throw new TypeConversionException(
              "expected NAME=INDICES for each dimension, as time=0:10,lat=5; found " + part);
        }
        String indices = part.substring(equals + 1);
        Selection.parse(indices); // refuses a text that is none
        if (named.put(name, indices) != null) {
          throw new TypeConversionException("the dimension " + name + " is selected twice");
        }
      }
      return Collections.unmodifiableMap(named);
    }
  }
}
