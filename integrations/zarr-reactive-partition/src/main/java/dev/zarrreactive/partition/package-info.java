/**
 * Arrays and datasets as tables in splits, for engines that compute on many machines: what a driver
 * plans, what it sends to the machines that read, and how these read.
 */
@NullMarked
package dev.zarrreactive.partition;

import org.jspecify.annotations.NullMarked;
