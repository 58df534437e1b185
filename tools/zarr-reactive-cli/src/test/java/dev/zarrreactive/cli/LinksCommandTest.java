package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Commands that erase remove symbolic links, and leave what they lead to. */
@DisabledOnOs(OS.WINDOWS)
class LinksCommandTest {
  @TempDir Path directory;
  Path precious;

  @BeforeEach
  void precious() throws IOException {
    precious = Files.createDirectories(directory.resolve("precious/sub"));
    Files.writeString(precious.resolve("thesis.txt"), "x");
  }

  private String in(String name) {
    return directory.resolve(name).toString();
  }

  private void link(String name, String target) throws IOException {
    Files.createSymbolicLink(directory.resolve(name), Path.of(target));
  }

  private static String good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private void assertPreciousIsThere() {
    assertThat(precious.resolve("thesis.txt")).hasContent("x");
  }

  @Test
  void rm_of_a_hierarchy_with_links_out_of_it_removes_the_links() throws IOException {
    good("copy", EARTH.toString(), in("proj/out.zarr"), "-q");
    link("proj/out.zarr/link", "../../precious");
    link("proj/out.zarr/up", "..");
    link("proj/out.zarr/itself", "itself");
    link("proj/out.zarr/thesis", "../../precious/sub/thesis.txt");
    Files.writeString(directory.resolve("proj/beside.txt"), "y");
    String dry = good("rm", in("proj/out.zarr"), "--dry-run");
    assertThat(dry)
        .startsWith("Would erase 64 values, ")
        .endsWith(", and 4 links, which are removed, not followed.\n");
    assertThat(good("rm", in("proj/out.zarr"), "-y"))
        .startsWith("Erased 64 values, ")
        .endsWith(", and 4 links, which were not followed.\n");
    assertPreciousIsThere();
    assertThat(directory.resolve("proj/beside.txt")).hasContent("y");
    assertThat(directory.resolve("proj/out.zarr")).isEmptyDirectory();
  }

  @Test
  void rm_of_a_node_that_is_a_link_leaves_the_node_that_it_leads_to() throws IOException {
    good("copy", EARTH.toString(), in("master.zarr"), "-q");
    Files.writeString(directory.resolve("master.zarr/earth/NOTES.txt"), "notes");
    good("create", in("v.zarr"));
    link("v.zarr/earth", "../master.zarr/earth");
    good("consolidate", in("v.zarr"));
    assertThat(good("rm", in("v.zarr/earth"), "--dry-run"))
        .isEqualTo("Would erase 1 link, which is removed, not followed.\n");
    assertThat(good("rm", in("v.zarr/earth"), "-y"))
        .isEqualTo("Erased 1 link, which was not followed.\n");
    assertThat(Files.exists(directory.resolve("v.zarr/earth"), LinkOption.NOFOLLOW_LINKS))
        .isFalse();
    assertThat(good("tree", in("v.zarr"))).doesNotContain("earth");
    assertThat(directory.resolve("master.zarr/earth/NOTES.txt")).hasContent("notes");
    good("diff", in("master.zarr"), EARTH.toString());
  }

  @Test
  void rm_of_a_root_that_is_a_link_or_of_a_link_to_nothing_removes_the_link() throws IOException {
    good("copy", EARTH.toString(), in("master.zarr"), "-q");
    link("linked.zarr", "master.zarr");
    link("nothing.zarr", "missing");
    link("loop.zarr", "loop.zarr");
    for (String name : new String[] {"linked.zarr", "nothing.zarr", "loop.zarr"}) {
      assertThat(good("rm", in(name), "-y")).isEqualTo("Erased 1 link, which was not followed.\n");
      assertThat(Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)).isFalse();
    }
    good("diff", in("master.zarr"), EARTH.toString());
  }

  @Test
  void rm_of_a_node_behind_a_link_says_where_it_is() throws IOException {
    good("copy", EARTH.toString(), in("master.zarr"), "-q");
    good("create", in("v.zarr"));
    link("v.zarr/earth", "../master.zarr/earth");
    assertThat(good("rm", in("v.zarr/earth/lat"), "--dry-run"))
        .contains(
            "a link above leads to them, they are at "
                + directory.toRealPath().resolve("master.zarr/earth/lat"));
  }

  @Test
  void a_copy_that_overwrites_leaves_what_links_lead_to() throws IOException {
    good("copy", EARTH.toString(), in("master.zarr"), "-q");
    good("copy", EARTH.toString(), in("out.zarr"), "-q");
    link("out.zarr/earth/link", "../../precious");
    good("copy", EARTH.toString(), in("out.zarr"), "--overwrite", "-q");
    assertPreciousIsThere();
    link("out.zarr/other", "../master.zarr/earth");
    good("copy", EARTH + "/earth/lat", in("out.zarr/other"), "--overwrite", "-q");
    assertThat(Files.isSymbolicLink(directory.resolve("out.zarr/other"))).isFalse();
    link("linked.zarr", "master.zarr");
    CommandRun run = zarr("copy", EARTH + "/earth/lat", in("linked.zarr"), "--overwrite");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("DST is a symbolic link to " + directory.toRealPath().resolve("master.zarr"));
    good("diff", in("master.zarr"), EARTH.toString());
  }

  @Test
  void mv_renames_a_link_and_clean_enters_none() throws IOException {
    good("copy", EARTH.toString(), in("master.zarr"), "-q");
    good("create", in("v.zarr"));
    link("v.zarr/earth", "../master.zarr/earth");
    good("mv", in("v.zarr/earth"), "/deep/er/earth");
    assertThat(good("tree", in("v.zarr"))).contains("deep", "er", "relief");
    assertThat(Files.isSymbolicLink(directory.resolve("v.zarr/deep/er/earth"))).isTrue();
    Path left = directory.resolve("master.zarr/earth/.zarr-partial-left");
    Files.writeString(left, "");
    good("clean", in("v.zarr"));
    assertThat(left).exists();
    good("diff", in("master.zarr/earth"), EARTH + "/earth");
  }

  @Test
  void a_terminal_gets_links() throws IOException {
    good("create", in("v.zarr"));
    link("v.zarr/link", "../precious");
    Terminal terminal =
        new Terminal(true, true, true, 80, 24, Colours.NONE, false, StandardCharsets.UTF_8);
    CommandRun run =
        CommandRun.fed("n\n".getBytes(StandardCharsets.UTF_8), terminal, "rm", in("v.zarr"));
    assertThat(run.err())
        .contains("and 1 link, which is removed, not followed, of " + in("v.zarr"));
    assertPreciousIsThere();
  }
}
