package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The bill of materials names each artifact that a program may name, in one version. */
class BomTest {
  private static final Pattern MODULE =
      Pattern.compile("<module>(?:[a-z]+/)?(zarr-reactive-[^<]+)<");
  private static final Pattern NAMED =
      Pattern.compile("<artifactId>(zarr-reactive-[^<]+)</artifactId>");

  /** What is for the tests of this project alone, and the bill of materials itself. */
  private static final Set<String> OURS =
      Set.of(
          "zarr-reactive-bom",
          "zarr-reactive-faults",
          "zarr-reactive-service-tests",
          "zarr-reactive-simulation",
          "zarr-reactive-testing",
          "zarr-reactive-webflux-boot4-tests");

  @Test
  void every_module_that_goes_out_is_named() throws IOException {
    Set<String> modules = names(MODULE, Pages.ROOT.resolve("pom.xml"));
    modules.removeAll(OURS);
    Set<String> named = names(NAMED, Pages.ROOT.resolve("zarr-reactive-bom/pom.xml"));
    named.remove("zarr-reactive-bom");
    assertThat(named).isEqualTo(modules);
  }

  @Test
  void its_version_is_that_of_the_project() throws IOException {
    Pattern version = Pattern.compile("<version>([^<]+)</version>");
    assertThat(names(version, Pages.ROOT.resolve("zarr-reactive-bom/pom.xml")))
        .contains("${project.version}")
        .anyMatch(
            text ->
                Pages.lines(Pages.ROOT.resolve("pom.xml"))
                    .contains("  <version>" + text + "</version>"));
  }

  @Test
  void it_says_of_the_project_what_the_parent_says() throws IOException {
    String bom = Files.readString(Pages.ROOT.resolve("zarr-reactive-bom/pom.xml"));
    String parent = Files.readString(Pages.ROOT.resolve("pom.xml"));
    for (String element :
        List.of(
            "url",
            "inceptionYear",
            "organization",
            "licenses",
            "developers",
            "scm",
            "issueManagement",
            "zarr.home")) {
      assertThat(element(element, bom)).as(element).isEqualTo(element(element, parent));
    }
  }

  @Test
  void what_it_does_not_name_is_not_deployed() throws IOException {
    for (Path pom : poms()) {
      String text = Files.readString(pom);
      String name = element("name", text);
      boolean isKept = OURS.contains(name) && !name.equals("zarr-reactive-bom");
      assertThat(text.contains("<maven.deploy.skip>true</maven.deploy.skip>"))
          .as(pom.toString())
          .isEqualTo(isKept);
    }
  }

  /** Returns the poms of the modules with the project's name. */
  private static List<Path> poms() throws IOException {
    return Pattern.compile("<module>((?:[a-z]+/)?zarr-reactive-[^<]+)<")
        .matcher(Files.readString(Pages.ROOT.resolve("pom.xml")))
        .results()
        .map(found -> Pages.ROOT.resolve(found.group(1)).resolve("pom.xml"))
        .toList();
  }

  /** The first element of a name, without its attributes. */
  private static String element(String name, String pom) {
    Matcher found =
        Pattern.compile("<" + name + "(?:\\s[^>]*)?>(.*?)</" + name + ">", Pattern.DOTALL)
            .matcher(pom);
    assertThat(found.find()).as(name).isTrue();
    return found.group(1);
  }

  private static Set<String> names(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
