package dev.zarrreactive.cli.output;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.encodings.GreyScale;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** {@code zarr read}. */
@Command(
    name = "read",
    headerHeading =
        "Examples: zarr read earth.zarr/earth/lat --select 0:10,::2 -o lat.npy%n"
            + "          zarr read era5.zarr/t2m --sel time=2024-01-05 --sel lat~48.2 -o t.csv%n",
    description = "Reads elements of an array, or a table of a group, in C order.")
public final class ReadCommand extends NodeOperation {
  @Mixin private final SelectOption select = new SelectOption();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = ElementFormat.Converter.class,
      description =
          "text, for people; npy, a NumPy file; raw, little-endian bytes; json, one element a"
              + " line; csv or jsonl, a table with labels; png, a picture. The suffix of FILE"
              + " chooses without it, and standard output gets text.")
  private @Nullable ElementFormat format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file; - is standard output.")
  private @Nullable Path file;

  @Option(
      names = "--range",
      paramLabel = "MIN:MAX",
      converter = RangeConverter.class,
      description =
          "For png: the values that are black and white, for example -40:50; NaN is transparent."
              + " Without, uint8, uint16 and bool are exact.")
  private @Nullable GreyScale range;

  @Mixin private final CfOptions cf = new CfOptions();

  @Option(
      names = "--variables",
      paramLabel = "NAMES",
      split = ",",
      hideParamSyntax = true,
      description = "Of a group: the columns of its table, as t2m,sst.")
  private List<String> variables = List.of();

  @Override
  protected String adviceAfterInterrupt() {
    return OutputFile.adviceAfterInterrupt(file);
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    file = OutputFile.isStandardOutput(file) ? null : file;
    ElementFormat chosen = format();
    if (chosen.isBinary() && file == null && console.terminal().out()) {
      throw new ParameterException(
          spec().commandLine(),
          "A terminal cannot show the format "
              + chosen
              + "; name a file with -o FILE, or use a pipe");
    }
    if (range != null && chosen != ElementFormat.PNG) {
      throw new ParameterException(
          spec().commandLine(), "--range is for the format png, not for " + chosen);
    }
    if (cf.areContrary()) {
      throw new ParameterException(spec().commandLine(), "--decode and --raw exclude each other");
    }
    NodeLocation hierarchy = locationInHierarchy();
    boolean isTable = chosen.isTable() && !cf.isRaw();
    return location(cf.hasLabels() || isTable)
        .in(
            options(chosen),
            place ->
                isTable
                    ? writeTable(place, hierarchy, chosen, console)
                    : write(place, hierarchy, chosen, console));
  }

  /** Returns the options of the library. A stream may use half of the heap for one reader. */
  private ZarrOptions options(ElementFormat chosen) {
    return chosen.isStreamed()
        ? concurrency.of(options()).withMaxInFlightBytes(Runtime.getRuntime().maxMemory() / 2)
        : concurrency.of(options());
  }

  private Mono<Void> writeTable(
      NodePlace place, NodeLocation hierarchy, ElementFormat chosen, CommandConsole console) {
    boolean isCsv = chosen == ElementFormat.CSV;
    return withWarnings(place.open())
        .flatMap(
            node ->
                node instanceof ZarrArray array && isWithoutLabels(array, isCsv)
                    ? isCsv
                        ? write(place, hierarchy, chosen, console).then(Mono.empty())
                        : Mono.just(alone(array))
                    : table(place, node, isCsv))
        .publishOn(console.thread())
        .doOnNext(table -> table.remark(cf.isDecoding()).ifPresent(console::remark))
        .flatMap(
            table ->
                file == null
                    ? table.writeTo(console.out(), console.thread(), bytes -> {})
                    : toFile(file, -1, table::writeTo, console));
  }

  /** Returns true for an array alone, and for elements that are several fields of CSV. */
  private boolean isWithoutLabels(ZarrArray array, boolean isCsv) {
    boolean hasFields =
        array.dataType() instanceof StructType || array.dataType() instanceof ComplexType;
    return !cf.hasLabels() && (array.path().isRoot() || (isCsv && hasFields));
  }

  private TableOutput alone(ZarrArray array) {
    Variable whole = cf.chosen(Variable.of(array, List.of(), CfRule.all()));
    Variable part = whole;
    for (Map.Entry<String, DimensionSelection> each : select.byName(whole).entrySet()) {
      part = part.isel(each.getKey(), each.getValue());
    }
    return TableOutput.of(whole, select.named(part), false);
  }

  private Mono<TableOutput> table(NodePlace place, ZarrNode node, boolean isCsv) {
    return cf.tables(place, node, variables)
        .map(
            tables ->
                TableOutput.of(
                    tables.whole(),
                    select.of(tables.part(), tables.names()),
                    tables.names(),
                    cf::chosen,
                    isCsv));
  }

  private Mono<Void> write(
      NodePlace place, NodeLocation hierarchy, ElementFormat chosen, CommandConsole console) {
    return withWarnings(place.openArray())
        .flatMap(place::forManyChunks)
        .flatMap(
            array ->
                cf.part(place, array, select, hierarchy)
                    .map(part -> isExact(chosen) ? part.stored(array) : part)
                    .publishOn(console.thread())
                    .doOnNext(part -> part.remark().ifPresent(console::remark))
                    .map(part -> ElementOutput.of(array, part, chosen, range)))
        .flatMap(
            output ->
                file == null
                    ? output.writeTo(console.out(), console.thread())
                    : toFile(file, output.length(), output::writeTo, console));
  }

  /** Returns true for a format of stored elements, unless the user asks for values. */
  private boolean isExact(ElementFormat chosen) {
    return !cf.isDecoding()
        && (chosen == ElementFormat.RAW || (chosen == ElementFormat.PNG && range == null));
  }

  /** What writes to a file on a thread, and tells the bytes of each piece. */
  private interface Writing {
    Mono<Void> writeTo(Out out, Scheduler writer, LongConsumer onPiece);
  }

  private Mono<Void> toFile(Path file, long length, Writing output, CommandConsole console) {
    WorkProgress progress = new WorkProgress(console, "written", null);
    progress.begin(Printable.of(file.toString()), length);
    return progress.beside(
        OutputFile.write(
            file,
            console.thread(),
            out -> output.writeTo(out, console.thread(), progress::addHere)));
  }

  /** Returns what else makes a file of a format that this command does not write. */
  private static String adviceFor(Path file) {
    return String.valueOf(file.getFileName()).endsWith(".parquet")
        ? "; for Parquet write .jsonl or .csv, and let DuckDB convert it: COPY (FROM 'x.csv') TO"
            + " 'x.parquet'"
        : "";
  }

  private ElementFormat format() {
    if (format != null) {
      return format;
    }
    if (file == null) {
      return ElementFormat.TEXT;
    }
    ElementFormat ofSuffix = ElementFormat.ofSuffix(file);
    if (ofSuffix == null) {
      throw new ParameterException(
          spec().commandLine(),
          "The suffix of "
              + file
              + " names no format: .npy, .raw, .json, .jsonl, .csv and .png do; --format chooses"
              + " one for any name"
              + adviceFor(file));
    }
    return ofSuffix;
  }

  /** Reads the values that are black and white, for example {@code -40:50}. */
  static final class RangeConverter implements ITypeConverter<GreyScale> {
    @Override
    public GreyScale convert(String text) {
      String[] ends = text.split(":", -1);
      if (ends.length == 2) {
        try {
          return GreyScale.of(Double.parseDouble(ends[0]), Double.parseDouble(ends[1]));
        } catch (IllegalArgumentException e) {
          // reported below
        }
      }
      throw new TypeConversionException(
          "expected two different numbers such as -40:50; found " + text);
    }
  }
}
