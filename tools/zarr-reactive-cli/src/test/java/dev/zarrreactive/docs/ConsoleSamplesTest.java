package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The console samples of the documentation show what the command prints: the commands of each block
 * that follows {@code <!-- run -->} are run, one after the other; those of one page in one
 * directory.
 */
class ConsoleSamplesTest {
  private static final Pattern FILE =
      Pattern.compile("(--array_path=)?(\\w+\\.(zarr|zip).*|.+\\.(npy|raw|csv|png))");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern HEAD = Pattern.compile("(.*) \\| head -n (\\d+)");

  /** What the pages call a web server that serves the directory. */
  private static final String SERVER = "http://localhost:8000";

  @TempDir Path directory;
  private @Nullable FaultyServer server;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  static Stream<Path> pages() {
    return Pages.all().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_console_sample_is_what_the_command_prints(Path page) {
    for (Pages.Fence fence : Pages.fences(page, "console")) {
      assertThat(fence.comment()).as("%s, line %d", page, fence.line()).isEqualTo("<!-- run -->");
      StringBuilder printed = new StringBuilder();
      for (String line : fence.text().lines().filter(text -> text.startsWith("$ ")).toList()) {
        printed.append(line).append('\n').append(run(line.substring(2)));
      }
      assertThat(printed.toString().strip())
          .as("%s, line %d", page, fence.line())
          .isEqualTo(fence.text());
    }
  }

  private String run(String line) {
    Matcher head = HEAD.matcher(line);
    String command = head.matches() ? head.group(1) : line;
    int most = head.matches() ? Integer.parseInt(head.group(2)) : Integer.MAX_VALUE;
    List<String> words = words(command);
    assertThat(words.get(0)).isEqualTo("zarr");
    CommandRun run =
        CommandRun.zarr(
            words.subList(1, words.size()).stream().map(this::here).toArray(String[]::new));
    String text = (run.out() + run.err()).replace(directory + "/", "");
    List<String> printed =
        (server == null ? text : text.replace(server.uri().toString(), SERVER)).lines().toList();
    return printed.stream().limit(most).map(each -> each + "\n").collect(Collectors.joining());
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }
    return words;
  }

  private String here(String word) {
    if (word.startsWith(SERVER)) {
      if (server == null) {
        server = FaultyServer.of(FileSystemStore.open(directory));
      }
      return server.uri() + word.substring(SERVER.length());
    }
    Matcher file = FILE.matcher(word);
    if (!file.matches()) {
      return word;
    }
    return (file.group(1) == null ? "" : file.group(1)) + directory + "/" + file.group(2);
  }
}
