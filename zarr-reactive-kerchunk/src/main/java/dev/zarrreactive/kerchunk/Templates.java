package dev.zarrreactive.kerchunk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The templates of one file of references, and the expansion of texts by them. */
final class Templates {
  /** The most steps of the expansion of one text: templates name others. */
  private static final int MOST_STEPS = 10_000;

  private static final int MOST_EXPANDED = 1024;

  private final Map<String, String> templates;
  private final Map<String, TemplateText> parsed = new HashMap<>();

  /** Texts that have been expanded: many references have one URL. */
  private final Map<String, String> expanded = new HashMap<>();

  Templates(Map<String, String> templates) {
    this.templates = templates;
  }

  /** Returns true where no text is expanded. */
  boolean isEmpty() {
    return templates.isEmpty();
  }

  /**
   * Returns the URL of a reference, expanded.
   *
   * @throws TemplateProblem where it cannot be
   */
  String expand(String text) {
    if (templates.isEmpty() || !TemplateText.hasTemplates(text)) {
      return text;
    }
    String known = expanded.get(text);
    if (known == null) {
      known = expand(TemplateText.parse(text), Map.of());
      if (expanded.size() >= MOST_EXPANDED) {
        expanded.clear();
      }
      expanded.put(text, known);
    }
    return known;
  }

  /**
   * Expands a text with values of its own, texts and {@link Long}s, which come before templates.
   *
   * @throws TemplateProblem where it cannot be
   */
  String expand(TemplateText text, Map<String, Object> values) {
    return new Expansion().text(text, values);
  }

  /** The expansion of one text. */
  private final class Expansion {
    private final Deque<String> under = new ArrayDeque<>();
    private int steps;

    String text(TemplateText text, Map<String, Object> values) {
      StringBuilder result = new StringBuilder();
      for (TemplateText.Piece piece : text.pieces()) {
        result.append(value(piece, values));
        if (result.length() > TemplateText.LONGEST) {
          throw TemplateProblem.wrong(
              "templates make a text of more than " + TemplateText.LONGEST + " characters");
        }
      }
      return result.toString();
    }

    private Object value(TemplateText.Piece piece, Map<String, Object> values) {
      if (++steps > MOST_STEPS) {
        throw TemplateProblem.wrong("the expansion takes more than " + MOST_STEPS + " steps");
      }
      if (piece instanceof TemplateText.Literal literal) {
        return literal.value();
      } else if (piece instanceof TemplateText.Name name) {
        Object value = values.get(name.name());
        return value != null ? value : template(name.name(), Map.of());
      } else if (piece instanceof TemplateText.Call call) {
        Map<String, Object> arguments = new HashMap<>();
        call.arguments().forEach((name, argument) -> arguments.put(name, value(argument, values)));
        return template(call.name(), arguments);
      }
      TemplateText.Arithmetic sum = (TemplateText.Arithmetic) piece;
      return computed(
          sum.operator(), integer(value(sum.left(), values)), integer(value(sum.right(), values)));
    }

    private String template(String name, Map<String, Object> arguments) {
      @Nullable String template = templates.get(name);
      if (template == null) {
        throw TemplateProblem.wrong("no template \"" + name + "\"");
      } else if (under.contains(name)) {
        throw TemplateProblem.wrong("the template \"" + name + "\" leads to itself: a loop");
      } else if (!TemplateText.hasTemplates(template)) {
        return template;
      }
      under.push(name);
      String result = text(parsed(template), arguments);
      under.pop();
      return result;
    }
  }

  private TemplateText parsed(String template) {
    TemplateText text = parsed.get(template);
    if (text == null) {
      text = TemplateText.parse(template);
      parsed.put(template, text);
    }
    return text;
  }

  private static long integer(Object value) {
    if (value instanceof Long integer) {
      return integer;
    }
    throw TemplateProblem.wrong("arithmetic with a text");
  }

  /** Computes as Python does: division rounds down, and a remainder has the divisor's sign. */
  private static long computed(char operator, long left, long right) {
    try {
      return switch (operator) {
        case '+' -> Math.addExact(left, right);
        case '-' -> Math.subtractExact(left, right);
        case '*' -> Math.multiplyExact(left, right);
        case '/' -> Math.floorDiv(left, right);
        default -> Math.floorMod(left, right);
      };
    } catch (ArithmeticException e) {
      throw TemplateProblem.wrong(
          left + " " + (operator == '/' ? "//" : operator) + " " + right + " is no 64-bit integer");
    }
  }
}
