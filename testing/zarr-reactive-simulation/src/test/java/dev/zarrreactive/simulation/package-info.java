/**
 * A simulator of whole runs of the library: one thread, virtual time, one seed.
 *
 * <p>Features that work alone fail in composition, and no table of cases finds that. Here a seed
 * makes a {@link dev.zarrreactive.simulation.Scenario}: arrays, a stack of stores, options,
 * operations, their consumers, faults and cancels. {@link dev.zarrreactive.simulation.Simulation}
 * runs it with the public API of the library, and judges all of it.
 *
 * <p><b>How it runs.</b> {@link dev.zarrreactive.simulation.VirtualTime} is the only clock and the
 * only queue: the codec threads, the timers and the store schedule their work there, through {@link
 * dev.zarrreactive.internal.threads.Environment}. When an event has run, the clock jumps to the
 * next one. So a back-off of a minute costs nothing, and equal seeds make equal runs.
 *
 * <p><b>How it judges.</b> By {@link dev.zarrreactive.simulation.Rule}s that hold for every run,
 * whatever the library does inside: an operation whose consumer asks ends; each value that is read
 * was stored at that time or, while writes are under way, may have been ({@link
 * dev.zarrreactive.simulation.ValueModel}); bytes and requests keep to their bounds; in the end
 * nothing is held.
 *
 * <p><b>How it helps.</b> A scenario that fails is made smaller by {@link
 * dev.zarrreactive.simulation.Shrinker} as long as it fails by the same rule, and is printed as a
 * plan that a reader can follow, with the seed that replays it.
 *
 * <p>{@code CONTRIBUTING.md} says how to run more seeds, how to replay one, and how to add an
 * operation.
 */
package dev.zarrreactive.simulation;
