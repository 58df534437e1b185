/** What the tests of several modules use: waiting, child processes, contracts of every module. */
@NullMarked
package dev.zarrreactive.testing;

import org.jspecify.annotations.NullMarked;
