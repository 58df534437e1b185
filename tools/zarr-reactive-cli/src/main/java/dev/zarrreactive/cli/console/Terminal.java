package dev.zarrreactive.cli.console;

import java.io.Console;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The known facts of the terminal.
 *
 * @param in whether standard input is one
 * @param out whether standard output is one
 * @param err whether standard error is one
 * @param columns its width, in characters
 * @param lines its height
 * @param colours its colours
 * @param noColour whether the environment asks for none (<a
 *     href="https://no-color.org">NO_COLOR</a>)
 * @param charset the charset in which it reads text
 */
public record Terminal(
    boolean in,
    boolean out,
    boolean err,
    int columns,
    int lines,
    Colours colours,
    boolean noColour,
    Charset charset) {

  /** No terminal: two files or pipes, in UTF-8. */
  public static final Terminal NONE =
      new Terminal(false, false, false, 80, 24, Colours.NONE, false, StandardCharsets.UTF_8);

  /**
   * Detects the terminal by the JVM and the environment. A JVM cannot find out whether a stream is
   * a terminal: the launcher {@code zarr} names these streams in the system property {@code
   * zarr.terminal}, and lines and columns in {@code zarr.terminal.size}.
   */
  static Terminal detect(Properties properties, Map<String, String> environment) {
    String streams = properties.getProperty("zarr.terminal");
    if (streams == null) {
      streams = hasConsole() ? "in,out,err" : "";
    }
    int[] size = size(properties.getProperty("zarr.terminal.size", ""));
    return new Terminal(
        List.of(streams.split(",")).contains("in"),
        streams.contains("out"),
        streams.contains("err"),
        positive(environment.get("COLUMNS"), size[1]),
        positive(environment.get("LINES"), size[0]),
        Colours.of(environment),
        !environment.getOrDefault("NO_COLOR", "").isEmpty(),
        charset(properties));
  }

  /** Returns the longest line of standard output: the width of a terminal, else without a limit. */
  public int lineLength() {
    return out ? columns : Integer.MAX_VALUE;
  }

  /** Returns whether the terminal shows {@code text} as it is. */
  public boolean canShow(String text) {
    return charset.newEncoder().canEncode(text);
  }

  /**
   * Returns whether there is a terminal: until Java 21 a console implies one; later versions are
   * asked.
   */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean hasConsole() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      Method isTerminal = Console.class.getMethod("isTerminal");
      return Boolean.TRUE.equals(isTerminal.invoke(console));
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private static int[] size(String linesAndColumns) {
    String[] numbers = linesAndColumns.trim().split(" ", -1);
    return numbers.length == 2
        ? new int[] {positive(numbers[0], 24), positive(numbers[1], 80)}
        : new int[] {24, 80};
  }

  private static int positive(@Nullable String text, int otherwise) {
    try {
      int number = text == null ? 0 : Integer.parseInt(text.trim());
      return number > 0 ? number : otherwise;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  /**
   * Returns the charset. Java reads ASCII from the C locale, under which terminals are UTF-8 all
   * the same.
   */
  private static Charset charset(Properties properties) {
    String name =
        properties.getProperty(
            "stdout.encoding",
            properties.getProperty(
                "sun.stdout.encoding", properties.getProperty("native.encoding", "UTF-8")));
    try {
      Charset charset = Charset.forName(name);
      return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return StandardCharsets.UTF_8;
    }
  }
}
