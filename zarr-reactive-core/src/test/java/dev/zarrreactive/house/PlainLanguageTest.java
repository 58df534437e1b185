package dev.zarrreactive.house;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds comments, messages and pages to the words that {@link PlainLanguage} allows. */
class PlainLanguageTest {

  @Test
  void comments_messages_and_pages_name_their_actors_and_deny_one_thing_a_sentence() {
    Map<String, List<String>> findings = findings();
    assertThat(findings.values().stream().flatMap(List::stream).collect(joining("\n"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Whoever waits is served. */",
        "/** Waits until nobody reads. */",
        "/** The one who cancels. */",
        "/** Such are read again. */",
        "/** What is kept, here. */",
        "/** Where the index is small it is kept. */",
        "/** Never fails without a message. */",
        "// never fails\n// without a message",
        "/**\n * Fine.\n *\n * @return what somebody reads\n */",
        "String message = \"no key, \" + \"and nothing to read\";",
        "String message = \"read by somebody\";"
      })
  void a_sentence_that_breaks_a_rule_is_found(String source) {
    assertThat(findingsOf(Prose.ofJava(Path.of("A.java"), source))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Returns the keys, none for an empty store. */ char c = '\"'; /** Never fails. */",
        "/** Never fails. Reads without a request. */",
        "/** Such a store has no listing. */",
        "/** Calls {@code nobody()}. */",
        "/**\n * Never fails\n *\n * @param key which is not read\n */",
        "String first = \"never\"; String second = \"not\";",
        "String who = whoever;"
      })
  void a_plain_sentence_is_accepted(String source) {
    assertThat(findingsOf(Prose.ofJava(Path.of("A.java"), source))).isEmpty();
  }

  @Test
  void a_finding_says_the_line() {
    List<Sentence> sentences =
        Prose.ofJava(
            Path.of("A.java"), "class A {\n  /**\n   * Fine.\n   * Nobody reads.\n   */\n}");
    assertThat(sentences).extracting(Sentence::line).containsExactly(3, 4);
  }

  @Test
  void a_page_is_read_without_its_samples_and_headings() {
    String page =
        "## Who reads\n\nNobody `nobody`.\n\n```java\n// nobody\n```\n\n| cell | whoever |\n";
    assertThat(findingsOf(Prose.ofPage(Path.of("a.md"), page))).hasSize(2);
  }

  private static Map<String, List<String>> findings() {
    Map<String, List<String>> findings = new TreeMap<>();
    for (Path file : SourceFiles.ofMainCode()) {
      List<String> found = findingsOf(Prose.ofJava(file, SourceFiles.textOf(file)));
      add(findings, SourceFiles.packageOf(file), found);
    }
    for (Path page : SourceFiles.pages()) {
      List<String> found = findingsOf(Prose.ofPage(page, SourceFiles.textOf(page)));
      add(findings, SourceFiles.nameOf(page), found);
    }
    return findings;
  }

  private static void add(Map<String, List<String>> findings, String place, List<String> found) {
    if (!found.isEmpty()) {
      findings.computeIfAbsent(place, none -> new ArrayList<>()).addAll(found);
    }
  }

  private static List<String> findingsOf(List<Sentence> sentences) {
    return sentences.stream()
        .flatMap(
            sentence ->
                PlainLanguage.broken(sentence).stream().map(rule -> sentence + " [" + rule + ']'))
        .toList();
  }
}
