package dev.zarrreactive.icechunk;

import java.time.Instant;

/** Names one version of a repository. */
public sealed interface IcechunkVersion {
  /** The last snapshot of the branch {@code main}. */
  IcechunkVersion MAIN = branch("main");

  /** The last snapshot of a branch. */
  record Branch(String name) implements IcechunkVersion {
    @Override
    public String toString() {
      return "branch " + name;
    }
  }

  /** The snapshot of a tag, which never moves. */
  record Tag(String name) implements IcechunkVersion {
    @Override
    public String toString() {
      return "tag " + name;
    }
  }

  /** A snapshot by its id of 20 characters. */
  record Id(String snapshot) implements IcechunkVersion {
    @Override
    public String toString() {
      return "snapshot " + snapshot;
    }
  }

  /** The last snapshot of a branch that was written at an instant or before it. */
  record AsOf(String branch, Instant time) implements IcechunkVersion {
    @Override
    public String toString() {
      return "branch " + branch + " as of " + time;
    }
  }

  /** The last snapshot of a branch. */
  static IcechunkVersion branch(String name) {
    return new Branch(name);
  }

  /** The snapshot of a tag. */
  static IcechunkVersion tag(String name) {
    return new Tag(name);
  }

  /** A snapshot by its id of 20 characters, such as {@code 1CECHNKREP0F1RSTCMT0}. */
  static IcechunkVersion snapshot(String id) {
    return new Id(id);
  }

  /** The last snapshot of a branch that was written at an instant or before it. */
  static IcechunkVersion asOf(String branch, Instant time) {
    return new AsOf(branch, time);
  }
}
