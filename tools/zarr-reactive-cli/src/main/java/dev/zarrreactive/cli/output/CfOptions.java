package dev.zarrreactive.cli.output;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.NearNames;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.LabelOption;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/**
 * The options by which commands select by coordinates and decode elements. Without an option
 * elements are decoded where their attributes can be understood.
 */
public final class CfOptions {
  @Mixin private final LabelOption labels = new LabelOption();

  @Option(
      names = "--decode",
      description = "Values by the CF conventions, or an error; by default where they work.")
  private boolean decode;

  @Option(names = "--raw", description = "Stored elements, whatever attributes say of them.")
  private boolean raw;

  /** The rules that give elements another meaning. */
  private static final Set<CfRule> CONVERTING =
      Set.of(
          CfRule.SCALE_AND_OFFSET,
          CfRule.TIME,
          CfRule.TIME_DELTA,
          CfRule.UNSIGNED,
          CfRule.BOOLEAN,
          CfRule.TEXT);

  /** The attributes that name missing values. */
  private static final List<String> MISSING = List.of("_FillValue", "missing_value");

  /**
   * A part of an array, and the decoding that a dataset has for the array.
   *
   * @param selection of stored elements
   * @param isUnasked whether elements are decoded without an option that says so
   */
  public record Part(CfDecoding decoding, Selection selection, boolean isUnasked) {
    /** Returns what to tell a user who may expect stored elements; empty for nothing. */
    public Optional<String> remark() {
      return isUnasked && !decoding.isIdentity()
          ? Optional.of(
              (decoding.storedType().equals(decoding.dataType())
                      ? "decoded"
                      : "decoded from " + decoding.storedType() + " to " + decoding.dataType())
                  + " by CF attributes; --raw shows stored elements")
          : Optional.empty();
    }

    /** Returns true where elements have another meaning, apart from missing ones. */
    public boolean isConverted() {
      return decoding.rules().stream().anyMatch(CONVERTING::contains);
    }

    /** Returns the same part of stored elements. */
    public Part stored(ZarrArray array) {
      return new Part(Variable.of(array, List.of(), Set.of()).decoding(), selection, false);
    }
  }

  /**
   * Returns true where elements are decoded without an option: where attributes can be understood
   * and give elements another meaning, or name missing ones. The fill value of Zarr v2, and a range
   * of valid values, do not; and 64-bit integers stay exact.
   */
  private static boolean isBetterDecoded(CfDecoding decoding) {
    if (!decoding.isReadable() || decoding.rules().stream().anyMatch(CONVERTING::contains)) {
      return decoding.isReadable();
    }
    boolean namesMissing = MISSING.stream().anyMatch(decoding.attributes().members()::containsKey);
    return namesMissing
        && !decoding.storedType().equals(DataTypes.INT64)
        && !decoding.storedType().equals(DataTypes.UINT64);
  }

  private Part part(Variable whole, SelectOption select) {
    Variable variable = select.named(whole);
    Variable chosen = chosen(variable);
    return new Part(chosen.decoding(), chosen.storedSelection(select.orAll()), !decode);
  }

  /** Returns true if coordinates beside the array are needed. */
  public boolean hasLabels() {
    return labels.isGiven();
  }

  /** Returns true if the command has one of the options. */
  public boolean isGiven() {
    return decode || raw || hasLabels();
  }

  /** Returns true if the user asks for values. */
  public boolean isDecoding() {
    return decode;
  }

  /** Returns true if both of two options that exclude each other are given. */
  public boolean areContrary() {
    return decode && raw;
  }

  /** Returns true if the user asks for stored elements. */
  public boolean isRaw() {
    return raw;
  }

  /**
   * A dataset for a table.
   *
   * @param whole all elements
   * @param part what the labels choose
   * @param names the variables that are wanted; empty for all of a group
   */
  record Tables(Dataset whole, Dataset part, List<String> names) {}

  /** Returns a variable of values, or of stored elements where these are the default. */
  Variable chosen(Variable variable) {
    return raw || (!decode && !isBetterDecoded(variable.decoding())) ? variable.raw() : variable;
  }

  /** Emits the dataset of a group, or that of an array and of the coordinates beside it. */
  Mono<Tables> tables(NodePlace place, ZarrNode node, List<String> names) {
    if (node instanceof ZarrArray array) {
      if (!names.isEmpty()) {
        throw new CommandFailure("--variables is for a group, and this is an array");
      }
      return array.path().isRoot()
          ? Mono.error(LabelOption.ofAlone())
          : labels
              .whole(place, array, wanted(array))
              .flatMap(whole -> tables(whole, List.of(array.path().name())));
    }
    List<String> wanted = new ArrayList<>(labels.dimensions());
    wanted.addAll(names);
    ZarrGroup group = (ZarrGroup) node;
    return group
        .children()
        .collectList()
        .flatMap(
            nodes -> {
              Dataset whole = Dataset.of(group, nodes, CfRule.all(), wanted);
              if (names.isEmpty()) {
                requireAll(whole, nodes);
              }
              return tables(whole, names);
            });
  }

  /** Refuses arrays that a dataset leaves out, such as the other levels of an image. */
  private static void requireAll(Dataset whole, List<ZarrNode> nodes) {
    List<String> left =
        nodes.stream()
            .filter(ZarrArray.class::isInstance)
            .map(node -> node.path().name())
            .filter(name -> !whole.variables().containsKey(name))
            .sorted()
            .toList();
    if (!left.isEmpty()) {
      String chosen = left.get(0);
      throw new CommandFailure(
          "the arrays of this group are no one table, since they give a dimension several extents: "
              + NearNames.listed(
                  nodes.stream()
                      .filter(ZarrArray.class::isInstance)
                      .map(node -> node.path().name() + " " + ((ZarrArray) node).shape())
                      .sorted()
                      .toList())
              + "; name one of them, or choose with --variables, such as --variables "
              + chosen);
    }
  }

  private Mono<Tables> tables(Dataset whole, List<String> names) {
    return labels.partOf(whole).map(part -> new Tables(whole, part, names));
  }

  /** Returns the decoding of an array alone; that of stored elements without {@code --decode}. */
  public CfDecoding decoding(ZarrArray array) {
    return Variable.of(array, List.of(), decode ? CfRule.all() : Set.of()).decoding();
  }

  /** Returns the names of the array and of the coordinates that are asked for labels. */
  private List<String> wanted(ZarrArray array) {
    List<String> names = new ArrayList<>(labels.dimensions());
    names.add(array.path().name());
    return names;
  }

  /**
   * Emits what is selected of an array, and its decoding: that of stored elements with {@code
   * --raw}, and for attributes that cannot be understood unless {@code --decode} asks for values.
   *
   * @param rest what is selected of the part that the labels leave; where characters are joined to
   *     texts, of the texts
   * @param hierarchy the location of the array in the hierarchy that it lies in, which is opened
   *     where arrays beside it say how it is decoded
   */
  public Mono<Part> part(
      NodePlace place, ZarrArray array, SelectOption rest, NodeLocation hierarchy) {
    if (hasLabels()) {
      return findLabels(place, array).map(variable -> part(variable, rest));
    } else if (raw || Variable.isDecodedAlone(array)) {
      return Mono.just(part(Variable.of(array, List.of(), CfRule.all()), rest));
    } else if (!array.path().isRoot()) {
      return place
          .beside(array)
          .map(beside -> part(Variable.of(array, beside, CfRule.all()), rest));
    }
    return hierarchy.in(
        place.hierarchy().options(),
        above ->
            above
                .openArray()
                .flatMap(
                    found ->
                        above
                            .beside(found)
                            .map(beside -> part(Variable.of(found, beside, CfRule.all()), rest))));
  }

  /** Finds the labels in the coordinates beside the array. */
  private Mono<Variable> findLabels(NodePlace place, ZarrArray array) {
    return labels
        .partOf(place, array, wanted(array))
        .map(dataset -> dataset.variable(array.path().name()));
  }
}
