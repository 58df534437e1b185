package dev.zarrreactive.cli.input;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.internal.files.CsvTable;
import dev.zarrreactive.internal.files.ElementFile;
import dev.zarrreactive.internal.files.ItemLayout;
import dev.zarrreactive.internal.files.NpyHeader;
import dev.zarrreactive.internal.files.PngPicture;
import dev.zarrreactive.internal.files.UnreadableFileException;
import dev.zarrreactive.internal.text.ForeignFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A file that becomes an array. Standard input is first written to a temporary file, for which the
 * directory of {@code java.io.tmpdir} needs the room.
 */
public final class InputFile {
  /** The word for standard input. */
  public static final String STANDARD_INPUT = "-";

  private final Path path;
  private final String shown;

  /**
   * The words of the user on the elements.
   *
   * @param format null to find it out
   * @param dataType null for that of the file
   * @param shape of raw elements
   * @param order of raw elements
   */
  public record Description(
      @Nullable InputFormat format,
      @Nullable DataType dataType,
      @Nullable Shape shape,
      @Nullable ByteOrder order) {}

  private InputFile(Path path, String shown) {
    this.path = path;
    this.shown = shown;
  }

  /** Returns whether the name is that of a NumPy file, or standard input. */
  public static boolean isNpy(String name) {
    return name.equals(STANDARD_INPUT) || InputFormat.ofSuffix(name) == InputFormat.NPY;
  }

  /** Opens a file for {@code work}, and removes the temporary file of standard input at its end. */
  public static <T> Mono<T> use(
      String name, CommandConsole console, Function<InputFile, Mono<T>> work) {
    if (!name.equals(STANDARD_INPUT)) {
      return Mono.defer(() -> work.apply(new InputFile(path(name), name)))
          .subscribeOn(console.thread());
    }
    return Mono.using(
            () -> Files.createTempFile("zarr-", ".input"),
            file ->
                Mono.fromCallable(
                        () -> Files.copy(console.in(), file, StandardCopyOption.REPLACE_EXISTING))
                    .flatMap(size -> work.apply(new InputFile(file, "standard input"))),
            InputFile::delete)
        .subscribeOn(console.thread());
  }

  private static Path path(String name) {
    try {
      Path path = Path.of(name);
      if (!Files.exists(path)) {
        throw new CommandFailure(name + ": no such file");
      }
      if (!Files.isRegularFile(path)) {
        throw new CommandFailure(
            name + ": this is no file; - reads a pipe, and zarr copy reads arrays");
      }
      return path;
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason());
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // a file of the system's directory for such files stays
    }
  }

  /**
   * Returns the elements.
   *
   * @throws UnreadableFileException for a file that is broken, or cannot become an array
   * @throws IllegalArgumentException for a description that does not fit the format
   */
  ElementSource elements(Description said) {
    try {
      InputFormat format = said.format() == null ? format() : said.format();
      check(format, said);
      return switch (format) {
        case NPY -> new BoxSource(npy(said.dataType()));
        case RAW -> new BoxSource(raw(said));
        case CSV ->
            new ElementSource.Rows(
                CsvTable.of(path, said.dataType() == null ? DataTypes.FLOAT64 : said.dataType()));
        case PNG -> new ElementSource.Rows(PngPicture.of(path));
      };
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + shown + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the array of a NumPy file.
   *
   * @throws CommandFailure for a file that is broken
   */
  public ElementFile npy() {
    try {
      return npy(null);
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + shown + ": " + e.getMessage(), e);
    } catch (UnreadableFileException e) {
      throw new CommandFailure(shown + ": " + e.getMessage(), e);
    }
  }

  private InputFormat format() throws IOException {
    ForeignFile kind;
    try (InputStream file = Files.newInputStream(path)) {
      kind = ForeignFile.of(file.readNBytes(ForeignFile.START));
    }
    if (kind == ForeignFile.PNG) {
      return InputFormat.PNG;
    }
    InputFormat ofSuffix = InputFormat.ofSuffix(shown);
    if (kind == ForeignFile.NUMPY) {
      return InputFormat.NPY;
    } else if (ofSuffix != null) {
      return ofSuffix;
    }
    if (kind != null && kind != ForeignFile.DOCUMENT) {
      throw new CommandFailure(kind.sentence());
    }
    throw new IllegalArgumentException(
        "The format of "
            + shown
            + " is unknown; --from npy, raw, csv or png names it"
            + InputFormat.adviceOf(shown));
  }

  private static void check(InputFormat format, Description said) {
    if (format == InputFormat.RAW && (said.shape() == null || said.dataType() == null)) {
      throw new IllegalArgumentException("Raw elements need --dtype and --shape");
    }
    if (format != InputFormat.RAW && (said.shape() != null || said.order() != null)) {
      throw new IllegalArgumentException(
          "--shape and --byte-order are for raw elements; the file is " + format);
    }
    if (format == InputFormat.PNG && said.dataType() != null) {
      throw new IllegalArgumentException("--dtype is not for png, which has its own");
    }
  }

  private ElementFile npy(@Nullable DataType type) throws IOException {
    NpyHeader header;
    try (InputStream file = Files.newInputStream(path)) {
      header = NpyHeader.parse(file);
    }
    ItemLayout layout = header.layout();
    if (type != null && !type.equals(layout.dataType())) {
      if (!(layout.dataType() instanceof RawType) || size(type) != layout.fileSize()) {
        throw new IllegalArgumentException(
            "The elements of "
                + shown
                + " are "
                + layout.dataType()
                + ", not "
                + type
                + "; --dtype gives a meaning to bytes of the same size that have none");
      }
      layout = layout.as(type);
    }
    return ElementFile.npy(path, header, layout);
  }

  private ElementFile raw(Description said) throws IOException {
    DataType type = said.dataType();
    Shape shape = said.shape();
    if (type == null || shape == null || size(type) < 1) {
      throw new IllegalArgumentException("--dtype " + type + " has elements of no fixed size");
    }
    ByteOrder order = said.order() == null ? ByteOrder.LITTLE_ENDIAN : said.order();
    return ElementFile.raw(path, ItemLayout.of(type, order), shape);
  }

  private static int size(DataType type) {
    return type instanceof VariableLengthType ? 0 : type.itemSize();
  }
}
