package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links of the pages inside the project, as GitHub and the site follow them. */
class LinksTest {
  private static final Pattern LINK =
      Pattern.compile("]\\(([^)\\s]+)\\)|\\b(?:src|srcset|href)=\"([^\"]+)\"");
  private static final Pattern CODE = Pattern.compile("(`+).*?\\1");

  static Stream<Path> pages() {
    return Pages.everywhere().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_link_leads_to_a_file_and_to_a_heading_of_it(Path page) {
    for (String link : links(page)) {
      String file = link.replaceFirst("#.*", "");
      Path target =
          page.resolveSibling(URLDecoder.decode(file, StandardCharsets.UTF_8)).normalize();
      if (file.isEmpty()) {
        target = page;
      }
      assertThat(target).as(page + ": " + link).isRegularFile();
      assertThat(target.startsWith(Pages.ROOT)).as(page + ": " + link).isTrue();
      if (link.contains("#") && target.toString().endsWith(".md")) {
        assertThat(headings(Pages.lines(target)))
            .as(page + ": " + link)
            .contains(link.substring(link.indexOf('#') + 1));
      }
    }
  }

  /** Returns the links of a page to places in the project. */
  private static List<String> links(Path page) {
    List<String> links = new ArrayList<>();
    for (String line : withoutFences(Pages.lines(page))) {
      Matcher link = LINK.matcher(CODE.matcher(line).replaceAll(""));
      while (link.find()) {
        String target = link.group(1) == null ? link.group(2) : link.group(1);
        if (!target.matches("[a-z]+:.*")) {
          links.add(target);
        }
      }
    }
    return links;
  }

  private static List<String> withoutFences(List<String> page) {
    List<String> lines = new ArrayList<>();
    boolean isFence = false;
    for (String line : page) {
      isFence ^= line.startsWith("```");
      if (!isFence) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** Returns the headings of a page as links name them; an equal one gets a number. */
  private static Set<String> headings(List<String> page) {
    Set<String> headings = new HashSet<>();
    for (String line : withoutFences(page)) {
      if (line.matches("#+ .*")) {
        String text = line.replaceFirst("#+ ", "").replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        String name =
            text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
        String unique = name;
        for (int i = 1; !headings.add(unique); i++) {
          unique = name + "-" + i;
        }
      }
    }
    return headings;
  }

  @Test
  void every_picture_of_the_documentation_is_shown_on_a_page() throws Exception {
    Set<Path> linked = new HashSet<>();
    pages().forEach(page -> links(page).forEach(link -> linked.add(place(page, link))));
    try (Stream<Path> files = Files.list(Pages.ROOT.resolve("docs"))) {
      List<Path> pictures = files.filter(file -> file.toString().matches(".*(svg|png)")).toList();
      assertThat(pictures).hasSizeGreaterThan(8);
      assertThat(linked).containsAll(pictures);
    }
  }

  private static Path place(Path page, String link) {
    return page.resolveSibling(link.replaceFirst("#.*", "")).normalize();
  }
}
