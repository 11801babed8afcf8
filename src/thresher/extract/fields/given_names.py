"""Common given names: a text of two capital words that begins with one is hardly anything but the name of a person."""

_NAMES = """
    aaron abby abdul abdullah abigail adam adele aditya adrian adriana adrienne agnes agnieszka ahmed aidan aileen
    aisha akira alain alan albert alberto alejandro aleksander aleksandr aleksandra alena alessandro alex alexa
    alexander alexandra alexandre alexei alexis alfonso alfred alfredo ali alice alicia alina alison allan allison
    alma alvaro alyssa amanda amelia amelie amir amit amos amy ana anand ananya anastasia anders andrea andreas andrei
    andrew andré andrés andy angela angelika angelo angus anika anil anita anja anjali ankit ann anna anne annette
    annie annika ansgar anthea anthony antje antoine anton antonia antonio antti anuj archie ariana arianna arjun
    armin arnaud arne arnold arthur arun ashish ashley ashok astrid audra audrey aurelia austin ava avery axel babette
    barbara barry bart basil beata beatrice beatriz becky ben benedikt benjamin benoit benoît bernard bernd bernhard
    bert bertrand beth bethany bettina bianca bill birgit bjorn björn blake bob bogdan boris brad bradley brandon
    brenda brendan brent brett brian brianna bridget brigitte brittany brooke bruce bruno bryan bryce burkhard caitlin
    caleb callum cameron camila camille candice carina carl carla carlo carlos carlton carmen carol carolina caroline
    carolyn carrie carsten casey cassandra cassidy catalina catherine cathleen cathy cecilia cesar chad charity
    charlene charles charlie charlotte chelsea cheryl chiara chloe chris christa christel christian christiane
    christin christina christine christoph christophe christopher ciara cindy claire clara clare claudia claus clayton
    clemens clifford clive clément cody cole colin colleen connie connor constance corinna cornelia cory courtney
    craig cristina curtis cynthia cyril céline césar damian damien dan dana daniel daniela danielle danny daphne
    darius dariusz darrell darren dave david dean debbie debora deborah debra deepak delphine denis denise dennis
    derek devin devon diana diane dianne diego dieter dietmar dina dirk dmitri dmitry dolores dominic dominik
    dominique donald donna doreen doris dorothea dorothy doug douglas drew duncan dustin dwight dylan earl eberhard ed
    eddie edgar edith edmund eduardo edward edwin egon eileen elaine eleanor elena eli elias elisa elisabeth elise
    eliza elizabeth ella ellen ellie elliot elliott elsa emanuel emanuele emil emilia emilie emily emma emmanuel emre
    enrico enrique eric erica erich erik erika erin ernest ernst esteban estelle esther ethan eugen eugene eugenia eun
    eva evan eve evelyn ewa fabian fabienne fabio fabrice farah fatima federico felicia felipe felix ferdinand
    fernanda fernando filip finn fiona flavia florence florian floyd frances francesca francesco francis francisco
    franck frank franz françois françoise frauke fred frederic frederick frida friedrich fritz frédéric gabriel
    gabriela gabriele gail gareth gary gaurav gavin gemma gene genevieve geoff geoffrey georg george georgia georgina
    gerald geraldine gerard gerd gerhard gideon gilbert gilles gina giorgio giovanni gisela giulia giuseppe glen glenn
    gloria gonzalo gordon gottfried grace graham grant greg gregg gregor gregory greta gudrun guido guillaume
    guillermo gustav gwen günter günther hailey haley hanna hannah hanne hannelore hannes hans harald harold harper
    harriet harry harsh hartmut harvey hasan hassan hazel heather hector heidi heike heiko heinrich heinrike heinz
    helen helena helene helga helmut hendrik henning henri henrik henry herbert herman hermann hilary hildegard
    himanshu hiroshi holger holly horst howard hubert hugh hugo humberto ian ibrahim ida ignacio igor ilona ilse ilya
    imogen imran ines inga inge ingeborg ingo ingrid irene irina irma isaac isabel isabella isabelle isla ismail ivan
    ivana iván jacek jacinta jack jackie jackson jaclyn jacob jacqueline jacques jaime jake jakob jakub james jamie
    jan jana jane janet janice janine jannik jared jarrod jasmin jasmine jason javier jayden jean jeanette jeanne
    jeannette jeff jeffrey jen jenna jennie jennifer jenny jens jeremy jeroen jerome jerry jesper jesse jessica jesús
    jill jillian jim jimmy joachim joan joana joanna joanne joaquin joaquín jocelyn jochen jodie joe joel johan johann
    johanna johannes john jolene jon jonas jonathan jonny jordan jordi jorge joris jose josef joseph josephine josh
    joshua josie josé joy joyce joão juan jude judith judy jukka julia julian juliana julie julien juliet juliette
    julio julius june jussi justin justine jutta jörg jürgen kai kaitlin kaitlyn kamil karen kari karim karin karina
    karl karla karolina karsten karthik kasia katarina kate katelyn katharina katherine kathi kathleen kathrin kathryn
    kathy katie katja katrin kay kayla keira keith kelly kelsey ken kenji kenneth kerri kerry kerstin kevin kim kiran
    kirk kirsten kirstin klara klaus knut konrad konstantin krishna krista kristen kristian kristin kristina kristine
    krzysztof ksenia kunal kurt kyle kylie lachlan lance lara larissa larry lars laszlo latoya laura laurel lauren
    laurence laurent laurie lawrence lea leah lee leif leila lena leo leon leonard leonie leopold leslie lewis liam
    liane lilian liliana lilly linda lindsay lindsey linus lionel lisa liz lloyd logan loren lorenz lorenzo lori
    lorraine lothar louis louisa louise loïc luc luca lucas lucia luciana lucie lucy ludwig luis luisa luise lukas
    lukasz luke lydia lynda lynn lynne mackenzie madeleine madeline madison magda magdalena maggie magnus mahmoud
    maike malcolm malek malte mandy manfred manish manoj manuel manuela marc marcel marcelo marcin marco marcus marek
    margaret margarita margot maria mariam mariana marianne maribel maribeth marie marija marilyn marina mario marion
    marisa marissa maritza marjorie mark markku marko markus marla marlene marlon marshall marta martha martijn martin
    martina marvin mary mateusz mathias mathieu mathilde mathis matt matteo matthew matthias matthieu maureen maurice
    mauricio mauro max maxim maximilian maya mayra megan meghan mehmet meike mel melanie melinda melissa melody
    mercedes merle mia michael michaela michał michel michele michelle mick miguel mihai mikael mike mikhail mila
    milan milena miles mindy minna mira miranda miriam mirjam mirko mitchell mohamed mohammad mohammed mohit moira
    molly monica monika monique morgan moritz muhammad mustafa myles nadia nadine nadja nancy naomi natalia natalie
    natasha nathalie nathan naveen neal ned neha neil nele nestor nia nicholas nick nicki nico nicola nicolas nicole
    niels nigel nikhil nikita nikki niklas nikola nikolai nikolaus nilesh nils nina nisha noah noel noemi nora norbert
    norman oksana olaf ole oleg oleksandr olena olga oliver olivia olivier olu omar orlando oscar oskar otis otto owen
    pablo paige pamela paola paolo pascal pascale pat patrice patricia patrick patrik patrizia patty paul paula
    pauline pavel pedro pekka perry peter petra phil philip philipp philippe phillip pia pierce pierre pieter piotr
    pooja prakash pranav pratik preston priya quentin quinn rachel rahul rainer raj rajesh ralf ralph ramesh ramona
    ramón randall randy raphael raquel rashid ravi raymond raúl rebecca reggie regina reid reiner reinhard renata
    renate renee rené rhonda ricardo riccardo richard richie rick ricky riley rita rob robert roberta roberto robin
    rodrigo roger rohan rohit roland rolf romain roman romy ron ronald ronan roni ronja rosalie rosemary rosie ross
    rowan roxanne roy ruben rudi rudolf rukmini rupert russell rusty ruth ryan rüdiger sabina sabine sabrina sachin
    sadie sage sally salma salvador sam samantha sami samuel sandeep sander sandra sandrine sanjay santiago sara sarah
    sascha saskia saurabh scarlett scott sean sebastian selena selina serena sergei sergio seth shane shannon shari
    sharon shaun shawn sheena sheila shelby sherry shirley shivani shreya shruti siddharth sidney siegfried sigrid
    silas silke silvia silvio simon simone sinead siobhan skylar sneha sofia solveig sonali sonia sonja sophia sophie
    spencer stacey staci stacy stan stanley stefan stefanie stefano steffen stella stephan stephane stephanie stephen
    steve steven stewart stuart stéphane sue suresh susan susana susanna susanne susie suzanne sven svenja svetlana
    sydney sylvia tabea tabitha tamara tammy tanja tanya tara tariq tatiana tatjana taylor ted teresa terrence terry
    tessa thea theo theodor theodore theresa thierry thilo thomas thorsten tia tiffany tilman tim timo timothy tina
    tobias todd tom tomas tomasz tommy tony torsten tracey tracy travis trevor tristan ty tyler tyrone udo ulf uli
    ulrich ulrike ursula uta ute uwe valentin valentina valeria valerie vanessa varun vaughn vera verena veronica
    veronika vicki vicky victor victoria vijay vikram viktor viktoria vincent vincenzo viola virginia vivek vivian
    vivien vladimir volker wade walt walter waltraud wanda warren wayne wendy werner wesley whitney wiebke wilfried
    wilhelm william willy winfried winston wojciech wolfgang xavier xenia yana yannick yara yasmin yasmine yolanda
    youssef yuki yulia yuri yusuf yves yvonne zachary zack zara zoe łukasz
"""

GIVEN_NAMES = frozenset(_NAMES.split())
