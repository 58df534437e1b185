package dev.zarrreactive.cli.support;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.Secrets;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.store.Store;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import reactor.core.publisher.Mono;

/**
 * What a report of a fault needs: versions, the machine, options, and the metadata of a node. No
 * value of an option that may be a secret is in it, and no value of a variable of the process.
 */
public final class SupportReport {
  private static final int NAME_WIDTH = 15;

  /** The options whose values are no secrets. */
  private static final Set<String> SHOWN =
      Set.of("--zarr-format", "--draft", "--color", "--connections", "--timeout", "--region");

  /** The variables that change what the command does. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          "(?i)ZARR_.*|AWS_.*|GOOGLE_.*|.*_PROXY|NETRC|JAVA_HOME|JAVA_TOOL_OPTIONS"
              + "|JDK_JAVA_OPTIONS|NO_COLOR|TERM|COLORTERM|COLUMNS|LINES|LANG|LC_.*|TMPDIR|TEMP");

  /** The options of a JVM that hold numbers and switches alone. */
  private static final Pattern JVM_OPTION =
      Pattern.compile("-X(m[sx]|ss)\\d+[kmgKMG]?|-XX:[+-]?\\w+(=\\d+(\\.\\d+)?[kmgKMG]?)?|-Xint");

  private final Secrets secrets;
  private final StringBuilder text = new StringBuilder();

  private SupportReport(Secrets secrets) {
    this.secrets = secrets;
  }

  /** Emits the report without a node. */
  public static Mono<String> ofProgram(
      CommandSpec command, Terminal terminal, Map<String, String> environment, Secrets secrets) {
    return Mono.fromSupplier(
        () -> {
          SupportReport report = new SupportReport(secrets);
          report.program();
          report.choices(command, terminal, environment);
          return report.finished();
        });
  }

  /**
   * Emits the part of a node: what it is, or why it cannot be opened, and its documents. Fails with
   * {@link NodeNotFoundException} alone.
   */
  public static Mono<String> ofNode(String subject, NodePlace place, Secrets secrets) {
    Store store = place.hierarchy().store();
    return place
        .inspect()
        .map(SupportReport::kind)
        .onErrorResume(
            error -> !(error instanceof NodeNotFoundException),
            error -> Mono.just("error: " + message(error)))
        .zipWith(StoredDocuments.of(store, place.node()))
        .map(
            both -> {
              SupportReport report = new SupportReport(secrets);
              report.location(subject);
              report.field("store", new TreeSet<>(store.capabilities()).toString());
              report.field("node", both.getT1());
              report.text.append(both.getT2());
              return report.finished();
            });
  }

  /** Returns the part of a node that cannot be looked at. */
  public static String ofFailure(String subject, Throwable error, Secrets secrets) {
    SupportReport report = new SupportReport(secrets);
    report.location(subject);
    report.field("node", "error: " + message(error));
    return report.finished();
  }

  static String message(Throwable error) {
    return String.valueOf(CommandFailure.about("", error).getMessage());
  }

  private static String kind(ZarrNode node) {
    if (node instanceof UnreadableNode unreadable) {
      return "error: " + message(unreadable.error());
    }
    String format = " of Zarr v" + node.metadata().zarrFormat();
    return node instanceof ZarrArray array
        ? "array" + format + ", " + array.dataType() + " " + array.shape()
        : "group" + format;
  }

  private void program() {
    BuiltWith versions = BuiltWith.read();
    field("zarr-reactive", versions.own());
    field(
        "java",
        property("java.version")
            + ", "
            + property("java.vendor")
            + ", "
            + property("java.vm.name")
            + ", "
            + Quantities.plural(Runtime.getRuntime().availableProcessors(), "processor")
            + ", heap of at most "
            + Quantities.bytes(Runtime.getRuntime().maxMemory()));
    field(
        "system",
        property("os.name")
            + " "
            + property("os.version")
            + " "
            + property("os.arch")
            + ", text in "
            + Charset.defaultCharset()
            + ", names of files in "
            + property("sun.jnu.encoding"));
    field("libraries", String.join(", ", versions.libraries()));
    field("machine code", String.join(", ", NativeCode.found()));
  }

  private void choices(CommandSpec command, Terminal terminal, Map<String, String> environment) {
    environment.forEach(
        (name, value) -> {
          if (Redaction.isCredential(name)) {
            secrets.add(value);
          }
        });
    field(
        "terminal",
        terminal.out() || terminal.err()
            ? terminal.columns() + " x " + terminal.lines() + ", colours " + terminal.colours()
            : "none");
    List<String> options = new ArrayList<>();
    for (CommandSpec spec = command; spec != null; spec = spec.parent()) {
      CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
      if (parsed != null) {
        parsed.matchedOptions().forEach(option -> options.add(shown(option)));
      }
    }
    field("options", options.isEmpty() ? "none" : String.join(", ", options));
    List<String> names =
        environment.keySet().stream()
            .filter(name -> VARIABLE.matcher(name).matches())
            .sorted()
            .toList();
    field("variables", names.isEmpty() ? "none that count" : String.join(", ", names));
    String ofJvm = environment.getOrDefault("ZARR_JAVA_OPTS", "").strip();
    if (!ofJvm.isEmpty()) {
      List<String> words = new ArrayList<>();
      for (String word : ofJvm.split("\\s+", -1)) {
        words.add(JVM_OPTION.matcher(word).matches() ? word : "(another)");
      }
      field("ZARR_JAVA_OPTS", String.join(" ", words));
    }
  }

  private static String shown(OptionSpec option) {
    String name = option.longestName();
    boolean isSwitch = option.arity().max() == 0;
    return isSwitch
        ? name
        : name
            + " "
            + (SHOWN.contains(name) ? String.join(",", option.stringValues()) : "(not shown)");
  }

  private void location(String subject) {
    field("location", Redaction.of(withoutHome(subject)));
  }

  /** Returns a path with {@code ~} for the home of the user, whose name is in it. */
  private static String withoutHome(String path) {
    String home = System.getProperty("user.home", "");
    return home.length() > 1 && path.startsWith(home) ? "~" + path.substring(home.length()) : path;
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }

  private void field(String name, String value) {
    text.append(name).append(" ".repeat(Math.max(1, NAME_WIDTH - name.length())));
    text.append(Printable.of(Redaction.of(value))).append('\n');
  }

  private String finished() {
    return secrets.hidden(text.toString());
  }
}
