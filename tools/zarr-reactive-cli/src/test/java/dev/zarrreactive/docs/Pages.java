package dev.zarrreactive.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The documentation's pages and what stands in their fences. */
final class Pages {
  static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private Pages() {}

  /**
   * A fenced block.
   *
   * @param comment the line before it
   * @param line the number of its first line
   */
  record Fence(String comment, int line, String text) {}

  static List<Path> all() {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(pages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages;
  }

  /** Returns all pages of the project, also those beside the modules. */
  static List<Path> everywhere() {
    List<Path> pages = new ArrayList<>(all());
    try (Stream<Path> besides = Files.find(ROOT, 3, (path, attributes) -> isBesideAModule(path))) {
      besides.filter(path -> !pages.contains(path)).sorted().forEach(pages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages;
  }

  private static boolean isBesideAModule(Path path) {
    String inside = ROOT.relativize(path).toString().replace('\\', '/');
    return inside.endsWith(".md") && !inside.matches("(docs|[.].*|(.*/)?(target|src))/.*");
  }

  static List<String> lines(Path page) {
    try {
      return Files.readAllLines(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Fence> fences(Path page, String language) {
    List<Fence> fences = new ArrayList<>();
    List<String> lines = lines(page);
    for (int start = 0; start < lines.size(); start++) {
      if (lines.get(start).startsWith("```")) {
        int end = start + 1;
        while (!lines.get(end).equals("```")) {
          end++;
        }
        if (lines.get(start).equals("```" + language)) {
          String comment = start == 0 ? "" : lines.get(start - 1);
          String text = String.join("\n", lines.subList(start + 1, end));
          fences.add(new Fence(comment, start + 2, text));
        }
        start = end;
      }
    }
    return fences;
  }
}
