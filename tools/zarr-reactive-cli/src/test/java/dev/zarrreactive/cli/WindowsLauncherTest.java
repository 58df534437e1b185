package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code zarr.bat} with the script {@code zarr}: the same options, variables and steps.
 */
class WindowsLauncherTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  /** What a JVM is told of a terminal; on Windows Java asks for itself. */
  private static final Set<String> OF_TERMINALS = Set.of("zarr.terminal", "zarr.terminal.size");

  private final String shell = text("zarr");
  private final String windows = text("zarr.bat");

  private static String text(String name) {
    try {
      return Files.readString(ROOT.resolve(name));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<String> found(String regex, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(regex).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static String after(String mark, String text) {
    assertThat(text).contains(mark);
    return text.substring(text.indexOf(mark));
  }

  @Test
  void both_take_the_same_options_and_variables() {
    assertThat(found("\"%~1\"==\"(--[a-z]+)\"", windows))
        .isEqualTo(found("\\{1:-\\}\" = (--[a-z]+) \\]", shell))
        .containsExactly("--image", "--packages");
    for (String variable : List.of("JAVA_HOME", "ZARR_JAR", "ZARR_JAVA_OPTS")) {
      assertThat(shell).contains("${" + variable + ":");
      assertThat(windows).contains("defined " + variable);
    }
  }

  @Test
  void both_choose_the_same_options_of_the_jvm_for_the_same_commands() {
    String chosen = after("collector=-XX", shell);
    Set<String> ofShell = optionsOfJvm(chosen);
    Set<String> ofWindows = optionsOfJvm(after(":choose", windows));
    assertThat(ofWindows).isEqualTo(ofShell).contains("-XX:+UseSerialGC", "-Xms64m");

    List<String> cases = chosen.lines().filter(line -> line.matches("  [^ ].* [|] .*[)]")).toList();
    List<String> loops = windows.lines().filter(line -> line.startsWith("for %%c in (")).toList();
    assertThat(cases).hasSize(2);
    assertThat(loops).hasSize(2);
    for (int i = 0; i < cases.size(); i++) {
      List<String> words =
          List.of(loops.get(i).replaceAll("for %%c in \\((.*)\\) do .*", "$1").split(" ", -1));
      assertThat(cases.get(i).strip().replaceAll("^'' [|] |[)]$", "").split(" [|] ", -1))
          .containsExactlyElementsOf(words);
    }
    Set<String> properties = found("-D(zarr[.a-z]+)=", shell);
    properties.removeAll(OF_TERMINALS);
    assertThat(found("-D(zarr[.a-z]+)=", windows)).isEqualTo(properties).isNotEmpty();
    Set<String> commands = ZarrCommand.fullModel().getSubcommands().keySet();
    for (String loop : loops) {
      for (String word : loop.replaceAll("for %%c in \\((.*)\\) do .*", "$1").split(" ", -1)) {
        assertThat(word.startsWith("-") || commands.contains(word)).as(word).isTrue();
      }
    }
  }

  private static Set<String> optionsOfJvm(String script) {
    String code =
        String.join("\n", script.lines().filter(line -> !line.matches("(#|rem) .*")).toList());
    return found("(-XX:[+-]?\\w+(?:=\\d+)?|-Xms\\w+|-Xlog:[\\w*=]+)", code);
  }

  @Test
  void both_build_and_make_an_image_by_the_same_steps() {
    String build = "-B -q -ntp -pl :zarr-reactive-cli -am package -Dmaven.test.skip=true";
    assertThat(shell).contains(build);
    assertThat(windows).contains(build);
    String image = shell.substring(shell.indexOf("make_image() {")).replace("\\\n", " ");
    for (String tool : List.of("jdeps", "jlink")) {
      assertThat(optionsOf(tool, windows)).isEqualTo(optionsOf(tool, image)).isNotEmpty();
    }
    for (String step : List.of("jdk.crypto.ec,jdk.zipfs", "needs a new directory", "zarr.jar")) {
      assertThat(image).contains(step);
      assertThat(after(":make_image", windows)).contains(step);
    }
  }

  private static Set<String> optionsOf(String tool, String script) {
    String line =
        script
            .lines()
            .filter(each -> each.contains(tool + "\" --"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no call of " + tool));
    return found("(--[a-z-]+(?:=\\d)?)", line);
  }

  @Test
  void every_label_of_the_batch_file_is_gone_to_and_each_is_there() {
    Set<String> labels = found("(?m)^:([a-z_]+)$", windows);
    assertThat(found("goto ([a-z_]+)", windows)).isEqualTo(labels);
    assertThat(windows.strip()).endsWith("exit /b 1");
    assertThat(windows.lines()).allSatisfy(line -> assertThat(line).doesNotContain("\t"));
  }
}
