package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.testing.Waiting;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
  @TempDir Path directory;

  private CommandRun demo(Terminal terminal, String... more) {
    String png = directory.resolve("map.png").toString();
    String[] arguments =
        Stream.concat(
                Stream.of("demo", "--delay", "0", "--latency", "5", "--png", png), Stream.of(more))
            .toArray(String[]::new);
    return CommandRun.on(terminal, arguments);
  }

  @Test
  void the_picture_is_the_earth() throws IOException {
    assertThat(demo(Terminal.NONE).exitCode()).isZero();
    BufferedImage earth = ImageIO.read(directory.resolve("map.png").toFile());
    assertThat(earth.getWidth()).isEqualTo(720);
    assertThat(earth.getHeight()).isEqualTo(360);
    int sahara = earth.getRGB(380, 134); // 23 N, 10 E
    assertThat(red(sahara)).isGreaterThan(180);
    assertThat(green(sahara)).isBetween(130, red(sahara));
    assertThat(blue(sahara)).isLessThan(green(sahara));
    int pacific = earth.getRGB(60, 180); // 0 N, 150 W
    assertThat(blue(pacific)).isGreaterThan(2 * red(pacific)).isGreaterThan(green(pacific));
    int antarctica = earth.getRGB(540, 350);
    assertThat(List.of(red(antarctica), green(antarctica), blue(antarctica)))
        .allSatisfy(part -> assertThat(part).isGreaterThan(220));
    assertThat(directory).isDirectoryNotContaining("glob:**.partial");
  }

  private static int red(int rgb) {
    return rgb >> 16 & 0xff;
  }

  private static int green(int rgb) {
    return rgb >> 8 & 0xff;
  }

  private static int blue(int rgb) {
    return rgb & 0xff;
  }

  @Test
  void it_says_what_it_opens_streams_it_and_says_what_happened() {
    CommandRun run = demo(Terminal.NONE);
    assertThat(run.out())
        .startsWith("The Earth, half a degree per pixel. Written by zarr-python 3.4.2")
        .contains("    └── rgb     uint8 [360, 720, 3]\n")
        .contains("array        earth.zarr/earth/rgb\n")
        .contains("demanded 48   requested 48:")
        .contains("48 chunks in ")
        // with the chunk that is being handed over
        .containsPattern(
            "at most [1-8] requests\nin flight, and never more than [1-9] chunks ahead\\.")
        .contains(
            "The picture is by NASA Earth Observatory, and in "
                + directory
                + "/map.png (720 x 360).")
        .contains("zarr demo --save earth.zarr")
        .doesNotContain("\u001b");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void without_a_terminal_the_map_is_drawn_with_characters() {
    List<String> map =
        demo(Terminal.NONE).out().lines().filter(line -> line.matches("[ .:=+*#%@-]{72}")).toList();
    assertThat(map).hasSize(18);
    assertThat(map.get(17)).as("Antarctica").matches("@+");
    assertThat(map.get(9)).as("the oceans at the equator").contains("      ");
  }

  @Test
  void on_a_terminal_the_map_fills_in_place_and_the_cursor_comes_back() {
    String out = demo(CommandRun.TERMINAL).out();
    assertThat(out)
        .contains("\u001b[?25l")
        .contains("\u001b[21A") // the map of 18 lines and what is below it
        .contains("·········") // not requested
        .contains("demanded  0   requested  0:")
        .contains("demanded 48   requested 48:")
        .contains("\u001b[38;2;")
        .contains("▀");
    assertThat(out.lastIndexOf("\u001b[?25h")).isGreaterThan(out.lastIndexOf("\u001b[?25l"));
  }

  @Test
  void a_terminal_without_colours_shows_the_map_all_the_same() {
    assertThat(demo(CommandRun.TERMINAL, "--color", "never").out())
        .contains("@@@@@@@@")
        .doesNotContain("\u001b[38");
    Terminal indexed =
        new Terminal(false, true, true, 80, 24, Colours.INDEXED, false, StandardCharsets.UTF_8);
    assertThat(demo(indexed).out()).contains("\u001b[38;5;").doesNotContain("\u001b[38;2");
  }

  @Test
  void a_small_terminal_gets_a_small_map() {
    Terminal small =
        new Terminal(false, true, true, 40, 10, Colours.TRUE, false, StandardCharsets.UTF_8);
    assertThat(demo(small).out()).contains("\u001b[8A"); // 5 lines of map, 3 below it
  }

  @Test
  void a_page_draws_the_map_from_a_slow_store_until_it_is_interrupted() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    Thread command =
        new Thread(
            () ->
                exitCode.complete(
                    ZarrCommand.run(
                        new CommandConsole(out, err, Terminal.NONE),
                        Map.of(),
                        "demo",
                        "--page",
                        "--delay",
                        "70",
                        "--latency",
                        "0")));
    command.start();
    Waiting.eventually(
        () -> "the end is named in " + out + err,
        () -> exitCode.isDone() || out.toString(StandardCharsets.UTF_8).contains("Ctrl-C"));
    Matcher page =
        Pattern.compile("The Earth, chunk by chunk: (http://127\\.0\\.0\\.1:\\d+/api/)#(\\S+)")
            .matcher(out.toString(StandardCharsets.UTF_8));
    assertThat(page.find()).as("%s%s", out, err).isTrue();
    assertThat(page.group(2)).isEqualTo("/earth/rgb?chunks=1&pace=70");
    HttpClient client = HttpClient.newHttpClient();
    URI root = URI.create(page.group(1));
    assertThat(body(client, root)).contains("<main").contains("page.js");
    assertThat(body(client, root.resolve("tree")))
        .contains("\"name\":\"earth.zarr\"", "/earth/rgb");
    command.interrupt();
    assertThat(exitCode.join()).isEqualTo(130);
    assertThat(directory).isEmptyDirectory();
  }

  private static String body(HttpClient client, URI place) throws Exception {
    return client.send(HttpRequest.newBuilder(place).build(), BodyHandlers.ofString()).body();
  }

  @Test
  void a_page_and_a_directory_are_not_made_at_once() {
    CommandRun run = zarr("demo", "--page", "--save", directory.resolve("a").toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--page and --save are two demonstrations");
  }

  @Test
  void the_hierarchy_can_be_saved_and_opened() throws IOException {
    Path saved = Files.createDirectory(directory.resolve("earth.zarr")); // as rm leaves one
    CommandRun run = zarr("demo", "--save", saved.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("Saved. Try: zarr tree " + saved + "\n");
    try (Stream<Path> files = Files.walk(EARTH)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(saved.resolve(EARTH.relativize(file).toString())).hasSameBinaryContentAs(file);
      }
    }
    assertThat(zarr("tree", saved.toString()).out()).contains("rgb");
    CommandRun again = zarr("demo", "--save", saved.toString());
    assertThat(again.exitCode()).isOne();
    assertThat(again.err()).contains("something is there already");
  }

  @Test
  void a_picture_that_cannot_be_written_is_a_failure() {
    CommandRun run =
        zarr("demo", "--delay", "0", "--latency", "0", "--png", directory + "/no/map.png");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).endsWith("no/map.png: no such directory\n");
    assertThat(run.out()).as("before anything is drawn").isEmpty();
  }

  @Test
  void no_picture_is_written_unasked_and_quiet_saves_without_a_word() {
    CommandRun run = zarr("demo", "--delay", "0", "--latency", "0");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("--png FILE keeps it");
    assertThat(Path.of("zarr-demo.png")).doesNotExist();
    CommandRun saved = zarr("demo", "-q", "--save", directory.resolve("quiet.zarr").toString());
    assertThat(saved.exitCode()).isZero();
    assertThat(saved.out() + saved.err()).isEmpty();
  }
}
