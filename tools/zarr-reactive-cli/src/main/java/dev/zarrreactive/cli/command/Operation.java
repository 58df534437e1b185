package dev.zarrreactive.cli.command;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.RetryNotice;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.process.ExitCode;
import dev.zarrreactive.cli.process.InterruptedCommand;
import dev.zarrreactive.store.StoreOptions;
import java.util.List;
import java.util.concurrent.Callable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** A command: its work is a publisher, for which the main thread waits. */
public abstract class Operation implements Callable<Integer> {
  /** Returns the top command, which has the options that all commands share. */
  protected abstract TopCommand command();

  /** Returns the subject of the command for errors, as the user wrote it, or an empty text. */
  protected abstract String subject();

  /** Returns the work. Wrong arguments are refused here. */
  protected abstract Mono<Void> execute(CommandConsole console);

  /** Returns advice after an interrupt. It is empty where an interrupt is the usual end. */
  protected String adviceAfterInterrupt() {
    return "nothing was changed";
  }

  /** Returns the exit code after the work is done. */
  protected int exitCode() {
    return ExitCode.SUCCESS;
  }

  /** Returns the colours of standard output. */
  protected final Colours colours() {
    return command().colour().onOutput(command().console().terminal());
  }

  /** Returns the options of the library for nodes that this command reads or changes. */
  protected final ZarrOptions options() {
    Integer format = command().zarrFormat();
    return format == null ? optionsOfTarget() : optionsOfTarget().withZarrFormat(format);
  }

  /** Returns the options of the library where nodes are made, beside nodes of every format. */
  protected final ZarrOptions optionsOfTarget() {
    return ZarrOptions.defaults()
        .withDrafts(command().drafts())
        .withLeniencies(command().leniencies());
  }

  /** Emits the node, on the console's thread, after its warnings are printed. */
  protected final <T extends ZarrNode> Mono<T> withWarnings(Mono<T> node) {
    return node.publishOn(command().console().thread())
        .doOnNext(
            opened -> {
              command().warnings().see(opened);
              printWarnings();
            });
  }

  /** Returns the location {@code text}. The user is told of the first request that is repeated. */
  protected final NodeLocation location(String text, StoreOptions options) {
    return watched(text, NodeLocation.of(text, command().drafts(), options));
  }

  /** Returns the location with notices of repeated requests, and of what it chooses. */
  protected final NodeLocation watched(String text, NodeLocation location) {
    NodeLocation telling = location.telling(this::warn, this::note);
    return LocationText.isLocal(text) ? telling : telling.observedBy(new RetryNotice(this::warn));
  }

  /** Prints a sentence on standard error, on the console's thread. */
  protected final Mono<Void> note(String sentence) {
    CommandConsole console = command().console();
    return Mono.<Void>fromRunnable(() -> console.note(sentence)).subscribeOn(console.thread());
  }

  /** Prints a warning on standard error, on the console's thread. */
  protected final void warn(String text) {
    command().warnings().add(command().secrets().hidden(text));
    command().console().thread().schedule(this::printWarnings);
  }

  /** Prints the warnings of nodes since the last call, on the console's thread. */
  protected final void printWarnings() {
    TopCommand command = command();
    command.warnings().print(command.colour().onErrors(command.console().terminal()).isOn());
  }

  /** Says which groups have lost their consolidated metadata. */
  protected static void reportRemoved(List<String> groups, CommandConsole console) {
    for (String group : groups) {
      console.remark(
          Printable.of(
              "removed the consolidated metadata of "
                  + group
                  + ", which would hide the change; zarr consolidate writes them again"));
    }
  }

  @Override
  public final Integer call() {
    Mono<Void> work =
        Mono.defer(() -> execute(command().console()))
            .onErrorMap(error -> CommandFailure.about(subject(), error));
    try {
      command().await(work);
    } catch (RuntimeException e) {
      if (Exceptions.unwrap(e) instanceof InterruptedException interrupt) {
        throw new InterruptedCommand(adviceAfterInterrupt(), interrupt);
      }
      throw e;
    }
    return exitCode();
  }
}
