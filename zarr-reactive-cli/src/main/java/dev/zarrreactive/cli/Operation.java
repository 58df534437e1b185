package dev.zarrreactive.cli;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.store.StoreOptions;
import java.util.concurrent.Callable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** A command: what it does as a publisher, on which the main thread waits. */
abstract class Operation implements Callable<Integer> {
  /** The command line's first word, with the options that all commands share. */
  abstract ZarrCommand command();

  /** What the command is about, as the user wrote it, for errors; empty where there is nothing. */
  abstract String subject();

  /** The work. Arguments that cannot be are refused here. */
  abstract Mono<Void> execute(CommandConsole console);

  /** The advice for a user who interrupted the command; empty where there is none. */
  String adviceAfterInterrupt() {
    return "";
  }

  /** The colours of standard output. */
  final Colours colours() {
    return command().colour().onOutput(command().console().terminal());
  }

  /** What the library may do for this command. */
  final ZarrOptions options() {
    return ZarrOptions.defaults().withDrafts(command().drafts());
  }

  /** The node, on the console's thread, when what it warns of is printed. */
  final <T extends ZarrNode> Mono<T> warned(Mono<T> node) {
    return node.publishOn(command().console().thread())
        .doOnNext(
            opened -> {
              command().warnings().see(opened);
              printWarnings();
            });
  }

  /** The node at {@code text}; the user is told of the first request that is made again. */
  final NodeLocation location(String text, StoreOptions options) {
    NodeLocation location = NodeLocation.of(text, command().drafts(), options);
    return LocationText.isLocal(text) ? location : location.observedBy(new RetryNotice(this::warn));
  }

  private void warn(String text) {
    command().warnings().add(command().secrets().hidden(text));
    command().console().thread().schedule(this::printWarnings);
  }

  /** Prints what nodes warned of since, on the console's thread. */
  final void printWarnings() {
    ZarrCommand command = command();
    command.warnings().print(command.colour().onErrors(command.console().terminal()).isOn());
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
    return ExitCode.SUCCESS;
  }
}
