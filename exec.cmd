@rem The scripts of package.json begin with exec: a signal to npm then reaches node, and no shell in between that
@rem would pass none on (scripts/cli/interruption.ts, tested in test/release/interruption.test.ts). The shell of Windows
@rem has no exec: there this file stands for it.
@%*
