package dev.zarrreactive.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A Python of this machine, for tests that let other programs read and write. A system property or
 * an environment variable names it, such as {@code ZARR_PYTHON=/path/to/python}; without one, those
 * on the {@code PATH} are tried.
 */
public final class Python {
  /** What names the Python of every test that asks for no other. */
  public static final String NAME = "ZARR_PYTHON";

  private static final List<String> ON_THE_PATH =
      List.of("python3", "python3.13", "python3.12", "python");

  private static final Map<List<String>, Optional<Python>> FOUND = new ConcurrentHashMap<>();

  private final String program;

  private Python(String program) {
    this.program = program;
  }

  /**
   * Finds a Python that has packages.
   *
   * @param imports what it must import, such as {@code "numpy, zarr"}; further statements may
   *     follow it, such as {@code "; assert zarr.__version__ >= '3'"}
   * @param names of the properties and variables that may name it, the first one first, before
   *     {@link #NAME}
   */
  public static Optional<Python> find(String imports, String... names) {
    List<String> programs =
        Stream.concat(Stream.of(names), Stream.of(NAME))
            .map(name -> System.getProperty(name, System.getenv().getOrDefault(name, "")))
            .filter(program -> !program.isEmpty())
            .findFirst()
            .map(List::of)
            .orElse(ON_THE_PATH);
    List<String> key = Stream.concat(Stream.of(imports), programs.stream()).toList();
    return FOUND.computeIfAbsent(
        key,
        ignored ->
            programs.stream()
                .map(Python::new)
                .filter(python -> python.succeeds("import " + imports))
                .findFirst());
  }

  /** Finds a Python as {@link #find}; without one the test is skipped. */
  public static Python with(String imports, String... names) {
    Optional<Python> found = find(imports, names);
    assumeTrue(
        found.isPresent(),
        () ->
            "skipped: no Python here can import "
                + imports
                + "; "
                + (names.length == 0 ? NAME : names[0])
                + "=/path/to/python names one that can");
    return found.get();
  }

  private boolean succeeds(String statement) {
    try {
      Process process =
          builder(List.of("-c", statement))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return Program.exit(process) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private ProcessBuilder builder(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONIOENCODING", "utf-8");
    builder.environment().put("PYTHONWARNINGS", "ignore");
    return builder;
  }

  /** Returns a process to start, of a script in a file. */
  public ProcessBuilder process(Path script, Object... arguments) {
    return builder(
        Stream.concat(Stream.of(script), Stream.of(arguments)).map(Object::toString).toList());
  }

  /**
   * Runs a script to its end, and returns what it prints.
   *
   * @throws AssertionError if its exit code is not 0
   */
  public String run(String script, Object... arguments) {
    return runWith(List.of(), script, arguments);
  }

  /**
   * Runs a script as {@link #run}.
   *
   * @param input the lines that it reads from its standard input
   */
  public String runWith(List<String> input, String script, Object... arguments) {
    try {
      Path file = Files.writeString(Files.createTempFile("script", ".py"), script);
      Path lines = Files.write(Files.createTempFile("input", ".txt"), input);
      try {
        return Program.run(process(file, arguments).redirectInput(lines.toFile()));
      } finally {
        Files.delete(file);
        Files.delete(lines);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a script that lies beside a class. */
  public static String script(Class<?> beside, String resource) {
    try (InputStream in =
        Objects.requireNonNull(beside.getResourceAsStream(resource), () -> "no " + resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return program;
  }
}
