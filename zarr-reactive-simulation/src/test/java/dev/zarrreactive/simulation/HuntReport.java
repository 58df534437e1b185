package dev.zarrreactive.simulation;

public final class HuntReport {
  public static void main(String[] a) {
    for (String s : a) System.out.println(SeedSearch.report(Long.parseLong(s)));
  }
}
