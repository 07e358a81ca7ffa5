@rem The shell of Windows has no exec: the scripts of package.json run as they are there.
@%*
