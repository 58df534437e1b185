package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** One run of the command in this process, and what came of it. */
public record CommandRun(int exitCode, byte[] output, String err) {

  /** A terminal of 80 columns and 24 lines with all colours. */
  public static final Terminal TERMINAL =
      new Terminal(false, true, true, 80, 24, Colours.TRUE, false, StandardCharsets.UTF_8);

  /** The hierarchy of the demonstration. */
  public static final Path EARTH = Path.of("src/main/resources/demo/earth.zarr").toAbsolutePath();

  /** Runs the command with its output in files. */
  public static CommandRun zarr(String... arguments) {
    return on(Terminal.NONE, arguments);
  }

  /** Runs the command on a terminal. */
  public static CommandRun on(Terminal terminal, String... arguments) {
    return run(terminal, Map.of(), arguments);
  }

  /** Runs the command with these variables in its environment. */
  public static CommandRun with(Map<String, String> environment, String... arguments) {
    return run(Terminal.NONE, environment, arguments);
  }

  /** Runs the command on a terminal, with these bytes as its standard input. */
  public static CommandRun fed(byte[] in, Terminal terminal, String... arguments) {
    return run(in, terminal, Map.of(), arguments);
  }

  private static CommandRun run(
      Terminal terminal, Map<String, String> environment, String... arguments) {
    return run(new byte[0], terminal, environment, arguments);
  }

  private static CommandRun run(
      byte[] in, Terminal terminal, Map<String, String> environment, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        ZarrCommand.run(
            new CommandConsole(new ByteArrayInputStream(in), out, err, terminal),
            environment,
            arguments);
    return new CommandRun(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  /** Standard output as text. */
  public String out() {
    return new String(output, StandardCharsets.UTF_8);
  }
}
