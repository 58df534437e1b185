package dev.zarrreactive.house;

import dev.zarrreactive.house.Sentence.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules for sentences that a word list can hold: they name their actors and say one thing. */
final class PlainLanguage {

  /** Words that hide the actor: the subscriber, the caller, the request, the thread. */
  private static final Pattern HIDDEN_ACTOR =
      Pattern.compile(
          "(?i)\\b(who(m|ever)?|nobody|no one|somebody|someone|anybody|anyone|everybody|everyone"
              + "|(?<!, )so (many|much)"
              + "|(those|such) (is|are|was|were|has|have|had|can|cannot|may|must|does|do|will"
              + "|would|never))\\b"
              + "|^(those|such(?! an? )|so many)\\b");

  private static final Pattern RIDDLE =
      Pattern.compile("^(What|Who|Whose|Where\\b.*\\b(is|are|was|were))\\b.*[^?]$");

  private static final Pattern NEGATION =
      Pattern.compile(
          "(?i)\\b(not(?! only\\b)|never|no(?!-)|nothing|none|without|cannot|neither|\\w+n't)\\b");

  private PlainLanguage() {}

  /** Returns the rules that a sentence breaks, none for a plain one. */
  static List<String> broken(Sentence sentence) {
    List<String> rules = new ArrayList<>();
    Matcher hidden = HIDDEN_ACTOR.matcher(sentence.text());
    if (hidden.find()) {
      rules.add("name the actor instead of \"" + hidden.group() + '"');
    }
    if (sentence.kind() != Kind.MESSAGE && RIDDLE.matcher(sentence.text()).find()) {
      rules.add("begin with the actor");
    }
    if (NEGATION.matcher(sentence.text()).results().count() > 1) {
      rules.add("at most one negation");
    }
    return rules;
  }
}
