package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The site that {@code docs/site/build} has made; skipped where there is none. */
class SiteTest {
  private static final Path SITE = Pages.ROOT.resolve("target/site/public");
  private static final Pattern SCRIPT = Pattern.compile("(?s)<script\\b([^>]*)>.*?</script>");
  private static final Pattern TAG = Pattern.compile("<([a-zA-Z][a-zA-Z0-9]*)((?:\\s[^>]*)?)>");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("\\b(href|src|srcset|id|name)=(?:\"([^\"]*)\"|'([^']*)'|([^\\s>\"']+))");

  /**
   * A page.
   *
   * @param links what its {@code a} elements name
   * @param parts what a browser requests for it
   */
  private record Page(Set<String> anchors, List<String> links, List<String> parts) {}

  private static final Map<Path, Page> PAGES = new HashMap<>();

  @BeforeAll
  static void read() throws IOException {
    assumeTrue(
        Files.exists(SITE.resolve("versions.json")), "no site is built: docs/site/build makes it");
    try (Stream<Path> files = Files.walk(SITE)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".html")).toList()) {
        PAGES.put(file, page(Files.readString(file)));
      }
    }
  }

  private static Page page(String html) {
    Page page = new Page(new HashSet<>(), new ArrayList<>(), new ArrayList<>());
    Matcher tag = TAG.matcher(SCRIPT.matcher(html).replaceAll("<script$1>"));
    while (tag.find()) {
      Matcher attribute = ATTRIBUTE.matcher(tag.group(2));
      while (attribute.find()) {
        String value =
            Stream.of(2, 3, 4).map(attribute::group).filter(v -> v != null).findFirst().get();
        value = text(value);
        switch (attribute.group(1)) {
          case "id", "name" -> page.anchors.add(value);
          case "href" -> (tag.group(1).equals("link") ? page.parts : page.links).add(value);
          default -> page.parts.add(value);
        }
      }
    }
    return page;
  }

  private static String text(String value) {
    return value
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  @Test
  void every_link_leads_to_a_file_and_to_an_anchor_in_it() {
    List<String> broken = new ArrayList<>();
    PAGES.forEach(
        (file, page) ->
            Stream.concat(page.links.stream(), page.parts.stream())
                .filter(link -> !link.matches("(?i)([a-z]+:|//).*"))
                .filter(link -> !leadsSomewhere(file, link))
                .filter(link -> !isMistakeOfJavadoc(file, link))
                .forEach(link -> broken.add(SITE.relativize(file) + ": " + link)));
    assertThat(broken).isEmpty();
  }

  /** The constants of Java 17's javadoc have a table of contents with a package that has none. */
  private static boolean isMistakeOfJavadoc(Path file, String link) {
    return file.endsWith("api/constant-values.html") && link.equals("#dev.zarrreactive");
  }

  private static boolean leadsSomewhere(Path file, String link) {
    String path = link.replaceFirst("[?#].*", "");
    Path target = path.isEmpty() ? file : file.resolveSibling(decoded(path)).normalize();
    if (Files.isDirectory(target)) {
      target = target.resolve("index.html");
    }
    if (!Files.isRegularFile(target) || !target.startsWith(SITE)) {
      return false;
    }
    String anchor = link.contains("#") ? decoded(link.substring(link.indexOf('#') + 1)) : "";
    Page page = PAGES.get(target);
    return anchor.isEmpty() || page == null || page.anchors.contains(anchor);
  }

  private static String decoded(String link) {
    return URLDecoder.decode(link.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Who looks at the site tells no other host. */
  @Test
  void no_page_needs_anything_of_another_host() throws IOException {
    PAGES.forEach(
        (file, page) ->
            assertThat(page.parts)
                .as(file.toString())
                .noneMatch(part -> part.matches("(https?:)?//.*")));
    try (Stream<Path> files = Files.walk(SITE)) {
      for (Path sheet : files.filter(path -> path.toString().endsWith(".css")).toList()) {
        assertThat(Files.readString(sheet))
            .as(sheet.toString())
            .doesNotContainPattern("(url\\(|@import )[\"']?(https?:)?//");
      }
    }
  }

  @Test
  void every_page_of_the_documentation_is_one_click_from_use_serve_or_change() throws IOException {
    try (Stream<Path> versions = Files.list(SITE)) {
      for (Path version : versions.filter(Files::isDirectory).toList()) {
        Set<Path> reached = new HashSet<>();
        for (String section : List.of("use", "serve", "change")) {
          Path index = version.resolve(section + "/index.html");
          PAGES
              .get(index)
              .links
              .forEach(
                  link ->
                      reached.add(
                          index.resolveSibling(link.replaceFirst("[?#].*", "")).normalize()));
        }
        try (Stream<Path> pages = Files.list(version.resolve("docs"))) {
          assertThat(pages.filter(page -> page.toString().endsWith(".html")))
              .filteredOn(page -> !page.endsWith("index.html"))
              .isNotEmpty()
              .allSatisfy(page -> assertThat(reached).contains(page));
        }
      }
    }
  }
}
