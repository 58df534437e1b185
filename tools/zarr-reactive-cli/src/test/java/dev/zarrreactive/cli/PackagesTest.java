package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packages of the command, from the jar that an earlier build has left. */
@Slow
class PackagesTest {
  private static final Path SCRIPT = Path.of("../../zarr").toAbsolutePath().normalize();
  private static final Path JAR = Path.of("target/zarr.jar").toAbsolutePath();
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @TempDir Path directory;

  private String printed(int exitCode, Path home, String... words) throws Exception {
    Path out = directory.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().put("ZARR_JAR", directory.resolve("zarr.jar").toString());
    builder.environment().remove("ZARR_JAVA_OPTS");
    Process process = builder.start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
    return text;
  }

  private static boolean isThere(String program) {
    return Stream.of("/bin", "/usr/bin", "/usr/local/bin")
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static Path only(Path place, String end) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(end)).toList();
      assertThat(found).as(end).hasSize(1);
      return found.get(0);
    }
  }

  @Test
  void the_packages_have_the_command_its_manual_and_its_completions() throws Exception {
    assumeThat(Path.of("/bin/sh")).as("a shell").exists();
    assumeThat(isThere("tar") && isThere("gzip")).as("tar and gzip").isTrue();
    assumeThat(JAR).as("the jar of an earlier build").exists();
    assumeThat(JDK.resolve("bin/jlink")).as("jlink").exists();
    assumeThat(JDK.resolve("jmods")).as("the modules that jlink takes").exists();
    Files.copy(JAR, directory.resolve("zarr.jar"));
    Path packages = directory.resolve("packages");
    printed(0, JDK, SCRIPT.toString(), "--packages", packages.toString());
    for (String line : Files.readAllLines(packages.resolve("SHA256SUMS"))) {
      String[] sum = line.split(" +[*]?", 2);
      byte[] bytes = Files.readAllBytes(packages.resolve(sum[1]));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      assertThat(HexFormat.of().formatHex(digest)).isEqualTo(sum[0]);
    }
    checkArchive(only(packages, ".tar.gz"));
    assumeThat(isThere("dpkg-deb")).as("dpkg-deb, for the other package").isTrue();
    checkDeb(only(packages, ".deb").toString());
  }

  private void checkArchive(Path archive) throws Exception {
    Path place = Files.createDirectories(directory.resolve("a place"));
    printed(0, JDK, "tar", "-xzf", archive.toString(), "-C", place.toString());
    Path root = only(place, "");
    assertThat(root.getFileName().toString()).startsWith("zarr-reactive-");
    assertThat(root.resolve("LICENSE")).exists();
    assertThat(root.resolve("share/man/man1/zarr-copy.1.gz")).isNotEmptyFile();
    assertThat(root.resolve("share/bash-completion/completions/zarr-reactive"))
        .content()
        .contains("complete -F _complete_zarr -o default zarr-reactive\n");
    assertThat(root.resolve("share/fish/vendor_completions.d/zarr-reactive.fish"))
        .content()
        .contains("complete -c zarr-reactive -n __fish_use_subcommand -f -a rm ");
    assertThat(root.resolve("share/zsh/vendor-completions/_zarr"))
        .content()
        .startsWith("#compdef zarr\n");
    Path array = directory.resolve("a");
    TestArrays.create(array, Shape.of(2, 3), DataTypes.UINT8, settings -> settings);
    Path link = Files.createSymbolicLink(directory.resolve("zarr"), root.resolve("bin/zarr"));
    Path noJdk = directory.resolve("none");
    for (Path command : List.of(link, root.resolve("bin/zarr-reactive"))) {
      assertThat(printed(0, noJdk, command.toString(), "tree", array.toString()))
          .endsWith(array + "  uint8 [2, 3]\n");
    }
  }

  private void checkDeb(String deb) throws Exception {
    assertThat(printed(0, JDK, "dpkg-deb", "--field", deb))
        .contains("Package: zarr-reactive\n", "\nDepends: libc6 (>= ")
        .doesNotContain("libx11", "openjdk", "-SNAPSHOT");
    String files = printed(0, JDK, "dpkg-deb", "--contents", deb);
    assertThat(files)
        .contains(
            "./usr/bin/zarr-reactive -> ../lib/zarr-reactive/bin/zarr\n",
            "./usr/share/man/man1/zarr-copy.1.gz -> ")
        .doesNotContain("zarr.jsa");
    assertThat(files.lines().map(line -> line.replaceFirst(".* [.](/\\S*)( -> .*)?", "$1")))
        .as("names that another program zarr may have, which are alternatives")
        .doesNotContain(
            "/usr/bin/zarr",
            "/usr/share/man/man1/zarr.1.gz",
            "/usr/share/bash-completion/completions/zarr");
    Path control = directory.resolve("control");
    printed(0, JDK, "dpkg-deb", "--control", deb, control.toString());
    for (String script : List.of("postinst", "prerm")) {
      printed(0, JDK, "/bin/sh", "-n", control.resolve(script).toString());
    }
  }

  @Test
  void packages_are_made_in_a_new_directory_alone() throws Exception {
    assumeThat(Path.of("/bin/sh")).as("a shell").exists();
    assumeThat(JAR).as("the jar of an earlier build").exists();
    Files.copy(JAR, directory.resolve("zarr.jar"));
    assertThat(printed(2, JDK, SCRIPT.toString(), "--packages", directory.toString()))
        .isEqualTo(
            "zarr: error: --packages needs a new directory, and " + directory + " is there\n");
    assertThat(printed(2, JDK, SCRIPT.toString(), "--packages"))
        .isEqualTo("zarr: error: --packages needs a new directory\n");
  }
}
